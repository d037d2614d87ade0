package dev.torg.promotions.payment;

import dev.torg.platform.Home;
import dev.torg.platform.coalesce.Outcome;
import dev.torg.platform.coalesce.WriteHandler;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Stores received webhooks in batches. The result is whether the webhook is new; after a lost response to COMMIT it counts
/// as new, so that it is processed: processing it twice has no effect.
final class WebhookInsertHandler implements WriteHandler<ReceivedWebhook, Boolean> {
  private final WebhookStore store = new WebhookStore();

  @Override
  public Home home(ReceivedWebhook item) {
    return item.key().home();
  }

  @Override
  public Object lockKey(ReceivedWebhook item) {
    return item.key();
  }

  @Override
  public List<Outcome<Boolean>> apply(Tx tx, List<ReceivedWebhook> items) throws SQLException {
    Set<WebhookKey> fresh = new HashSet<>(store.insert(tx, items));
    return items.stream().map(item -> Outcome.done(fresh.remove(item.key()))).toList();
  }

  @Override
  public List<Optional<Boolean>> recover(Tx tx, List<ReceivedWebhook> items) throws SQLException {
    Set<WebhookKey> stored =
        store.existing(tx, items.stream().map(ReceivedWebhook::key).distinct().toList());
    return items.stream()
        .map(item -> stored.contains(item.key()) ? Optional.of(true) : Optional.<Boolean>empty())
        .toList();
  }
}
