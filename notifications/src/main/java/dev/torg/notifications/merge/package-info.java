/// Merges the bell, the notification settings, the devices and the contacts of an anonymous identity into a login.
@NullMarked
package dev.torg.notifications.merge;

import org.jspecify.annotations.NullMarked;
