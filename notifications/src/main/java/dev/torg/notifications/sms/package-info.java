/// SMS: shortening a message to a few segments, and sending it through an HTTP gateway that the configuration describes.
@NullMarked
package dev.torg.notifications.sms;

import org.jspecify.annotations.NullMarked;
