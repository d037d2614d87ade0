/// Merges the bell and the notification settings of an anonymous identity into a login.
@NullMarked
package dev.torg.notifications.merge;

import org.jspecify.annotations.NullMarked;
