/// Notifications that other services send to named recipients.
///
/// [SendingService][dev.torg.notifications.sending.SendingService] validates a request and records it, with one message
/// for each recipient on `torg.notifications`, in one transaction in the home of sender and id. The response means
/// accepted. The record is kept forever, so a repeated request writes nothing.
///
/// [SendingConsumer][dev.torg.notifications.sending.SendingConsumer] writes the entries of recipients, many in one
/// transaction. The key of an entry is made of sender and id, so a message that is delivered twice writes nothing the
/// second time. A message to an identity that was merged into a login is sent again, to the login, in the same
/// transaction. A message for later is stored in the recipient's home until
/// [SendScheduledJob][dev.torg.notifications.sending.SendScheduledJob] writes it.
@NullMarked
package dev.torg.notifications.sending;

import org.jspecify.annotations.NullMarked;
