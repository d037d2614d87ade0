/// The development outbox: mails and SMS that are stored instead of being sent, where nothing is configured to send them
/// and only the developer of this machine can reach the server.
@NullMarked
package dev.torg.notifications.captured;

import org.jspecify.annotations.NullMarked;
