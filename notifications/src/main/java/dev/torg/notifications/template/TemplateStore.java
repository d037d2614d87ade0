package dev.torg.notifications.template;

import dev.torg.api.v1.NotificationTemplate;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Row;
import dev.torg.platform.db.StoredProto;
import dev.torg.platform.db.Tx;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/// SQL over the versions of templates, in the home of the template's id. A version is inserted once and never
/// changed; of two writers of one version the second inserts nothing.
final class TemplateStore {
  private static final String COLUMNS =
      "SELECT id, version, updated_at, body FROM notification_template WHERE home = ? AND id = ?";

  private static final String FIND = COLUMNS + " AND version = ?";
  private static final String NEWEST = COLUMNS + " ORDER BY version DESC LIMIT 1";

  private static final String INSERT =
      """
      INSERT INTO notification_template (home, id, version, updated_at, body)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT (home, id, version) DO NOTHING
      """;

  Optional<NotificationTemplate> newest(Tx tx, String id) throws SQLException {
    return tx.sql(NEWEST).set(Home.of(id)).set(id).first(TemplateStore::template);
  }

  Optional<NotificationTemplate> find(Tx tx, String id, int version) throws SQLException {
    return tx.sql(FIND).set(Home.of(id)).set(id).set(version).first(TemplateStore::template);
  }

  /// Returns whether the version was free.
  boolean insert(Tx tx, NotificationTemplate template, Instant now) throws SQLException {
    return tx.sql(INSERT)
            .set(Home.of(template.getId()))
            .set(template.getId())
            .set(template.getVersion())
            .set(now)
            .set(content(template).toByteArray())
            .update()
        == 1;
  }

  /// Without the fields that are columns.
  static NotificationTemplate content(NotificationTemplate template) {
    return template.toBuilder().clearId().clearVersion().clearUpdatedAt().build();
  }

  private static NotificationTemplate template(Row row) throws SQLException {
    return StoredProto.parse(NotificationTemplate.parser(), row.bytesAt(4), "template").toBuilder()
        .setId(row.textAt(1))
        .setVersion(row.intAt(2))
        .setUpdatedAt(EpochMicros.timestamp(row.instantAt(3)))
        .build();
  }
}
