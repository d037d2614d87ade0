/// Pushes to devices: browsers (VAPID and RFC 8291), iOS (APNs) and Android (FCM). A push carries the notification's id, so
/// that opening it marks the entry as read. Contents are shortened to the limits of the providers.
@NullMarked
package dev.torg.notifications.push;

import org.jspecify.annotations.NullMarked;
