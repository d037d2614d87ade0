package dev.torg.alerts;

import dev.torg.notifications.Bell;
import dev.torg.notifications.BellEntry;
import dev.torg.notifications.Channel;
import dev.torg.notifications.WithdrawnNotifications;
import dev.torg.notifications.WrittenNotifications;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// Records what is written to a bell.
public final class RecordingBell implements Bell {
  public final List<BellEntry> entries = new CopyOnWriteArrayList<>();
  private final Bell bell;

  public RecordingBell(Bell bell) {
    this.bell = bell;
  }

  public List<Set<Channel>> channels() {
    return entries.stream().map(entry -> entry.delivery().channels()).toList();
  }

  @Override
  public WrittenNotifications write(Tx tx, List<? extends BellEntry> written) throws SQLException {
    tx.afterCommit(() -> entries.addAll(written));
    return bell.write(tx, written);
  }

  @Override
  public List<Home> homesWithUnread(Tx tx, OfferId offer) throws SQLException {
    return bell.homesWithUnread(tx, offer);
  }

  @Override
  public WithdrawnNotifications withdraw(Tx tx, Home home, OfferId offer, int maxRecipients)
      throws SQLException {
    return bell.withdraw(tx, home, offer, maxRecipients);
  }

  @Override
  public void changed(Set<String> recipients) {
    bell.changed(recipients);
  }
}
