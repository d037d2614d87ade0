package dev.torg.notifications.sending;

import com.google.common.hash.HashCode;
import dev.torg.platform.Home;
import java.time.Instant;
import java.util.List;

/// A valid request, as it is recorded and sent. Nothing in it changes between attempts.
///
/// @param recipients without duplicates
/// @param payload the message that every recipient gets
@SuppressWarnings("ArrayRecordComponent") // One array for all recipients.
record AcceptedNotification(
    Key key, HashCode bodyHash, String topic, List<String> recipients, byte[] payload, Instant at) {

  /// Identifies a notification, forever.
  record Key(String sender, String id) {
    /// By sender and id, so that the notifications of one service are spread.
    Home home() {
      return Home.of(sender + ' ' + id);
    }
  }

  Home home() {
    return key.home();
  }

  /// The bytes that its messages occupy in the outbox.
  long bytes() {
    return (long) recipients.size() * payload.length;
  }
}
