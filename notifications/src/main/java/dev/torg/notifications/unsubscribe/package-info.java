/// Signed links by which people mute a topic on a channel without login.
@NullMarked
package dev.torg.notifications.unsubscribe;

import org.jspecify.annotations.NullMarked;
