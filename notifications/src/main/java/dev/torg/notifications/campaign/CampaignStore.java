package dev.torg.notifications.campaign;

import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.notifications.campaign.StoredCampaign.State;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.Sql;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// SQL over campaigns. A change of the state locks the campaign first ([#lock]).
final class CampaignStore {
  private static final String COLUMNS =
      "sender, id, state, accepting, created_at, send_at, request, content";

  private static final String INSERT =
      """
      INSERT INTO campaign (home, sender, id, state, accepting, created_at, send_at, request_hash, request, content)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (home, sender, id) DO NOTHING
      """;

  private static final String OF_KEY = " FROM campaign WHERE home = ? AND sender = ? AND id = ?";
  private static final String FIND = "SELECT " + COLUMNS + OF_KEY;
  private static final String LOCK = FIND + " FOR UPDATE";
  private static final String HASH = "SELECT request_hash" + OF_KEY;

  private static final String UPDATE =
      """
      UPDATE campaign
         SET state = ?, accepting = ?, send_at = coalesce(send_at, ?::timestamptz),
             finished_at = CASE WHEN state = ? THEN finished_at END
       WHERE home = ? AND sender = ? AND id = ?
      """;

  /// Reads all homes; the index contains unfinished campaigns only.
  private static final String DUE =
      """
      SELECT %s FROM campaign
       WHERE finished_at IS NULL AND (state = %d AND send_at <= ? OR state = %d) ORDER BY sender, id
      """
          .formatted(COLUMNS, State.STARTED.number(), State.CANCELLED.number());

  private static final String FINISH =
      """
      UPDATE campaign SET state = CASE WHEN state = %d THEN %d ELSE state END, finished_at = ?
       WHERE home = ? AND sender = ? AND id = ? AND state IN (%d, %d) AND finished_at IS NULL
      """
          .formatted(
              State.STARTED.number(),
              State.FINISHED.number(),
              State.STARTED.number(),
              State.CANCELLED.number());

  private static final String COUNT_BY_STATE =
      "SELECT state, count(*) FROM campaign WHERE finished_at IS NULL GROUP BY state";

  /// The number of unfinished campaigns in a state.
  record StateCount(State state, long campaigns) {}

  /// Returns whether there was none with this key.
  boolean insert(Tx tx, StoredCampaign campaign, byte[] requestHash) throws SQLException {
    return key(tx.sql(INSERT), campaign.key())
            .set(campaign.state().number())
            .set(campaign.accepting())
            .set(campaign.createdAt())
            .set(campaign.sendAt().orElse(null))
            .set(requestHash)
            .set(campaign.request().toByteArray())
            .set(campaign.content().toByteArray())
            .update()
        > 0;
  }

  Optional<StoredCampaign> find(Tx tx, CampaignKey key) throws SQLException {
    return key(tx.sql(FIND), key).first(CampaignStore::campaign);
  }

  Optional<StoredCampaign> lock(Tx tx, CampaignKey key) throws SQLException {
    return key(tx.sql(LOCK), key).first(CampaignStore::campaign);
  }

  Optional<byte[]> requestHash(Tx tx, CampaignKey key) throws SQLException {
    return key(tx.sql(HASH), key).first(row -> row.bytesAt(1));
  }

  /// @param startedAt the campaign's time, if it has none yet
  void update(Tx tx, CampaignKey key, State state, boolean accepting, Optional<Instant> startedAt)
      throws SQLException {
    key(
            tx.sql(UPDATE)
                .set(state.number())
                .set(accepting)
                .set(startedAt.orElse(null))
                .set(state.number()),
            key)
        .update();
  }

  /// Campaigns whose time has come, and cancelled ones that still have recipients.
  List<StoredCampaign> due(Tx tx, Instant now) throws SQLException {
    return tx.sql(DUE).set(now).list(CampaignStore::campaign);
  }

  boolean finish(Tx tx, CampaignKey key, Instant now) throws SQLException {
    return key(tx.sql(FINISH).set(now), key).update() > 0;
  }

  List<StateCount> countByState(Tx tx) throws SQLException {
    return tx.sql(COUNT_BY_STATE)
        .list(row -> new StateCount(State.of(row.intAt(1)), row.longAt(2)));
  }

  private static Sql key(Sql sql, CampaignKey key) throws SQLException {
    return sql.set(key.home()).set(key.sender()).set(key.id());
  }

  private static StoredCampaign campaign(Row row) throws SQLException {
    return new StoredCampaign(
        new CampaignKey(row.textAt(1), row.textAt(2)),
        State.of(row.intAt(3)),
        row.booleanAt(4),
        row.instantAt(5),
        row.optionalInstantAt(6),
        StoredProto.parse(CreateCampaignRequest.parser(), row.bytesAt(7), "campaign"),
        StoredProto.parse(NotificationTemplate.parser(), row.bytesAt(8), "campaign's content"));
  }
}
