package dev.torg.notifications.channel;

import dev.torg.notifications.Channel;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds where a person is reached.
public interface DeliveryTargets {
  /// The verified contact of the channel, or all devices for PUSH. Empty if the person registered none.
  List<DeliveryTarget> find(String recipient, Channel channel);

  /// The same for many persons of one shard, in the transaction that claims their messages. An implementation over a
  /// table overrides it with one statement in this transaction; this one finds each person by itself.
  default Map<String, List<DeliveryTarget>> find(
      Tx tx, Collection<String> recipients, Channel channel) throws SQLException {
    Map<String, List<DeliveryTarget>> found = new HashMap<>();
    recipients.forEach(recipient -> found.put(recipient, find(recipient, channel)));
    return found;
  }

  /// Removes a target of which the provider says that it does not exist any more. A target that was registered again
  /// since, with other data, stays.
  void remove(String recipient, DeliveryTarget gone);
}
