package dev.torg.platform.db;

import dev.torg.platform.Home;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/// The current row of a result, read by position: the statement that names the columns is in the same file.
public final class Row {
  private final ResultSet rows;

  Row(ResultSet rows) {
    this.rows = rows;
  }

  public int intAt(int column) throws SQLException {
    return rows.getInt(column);
  }

  public long longAt(int column) throws SQLException {
    return rows.getLong(column);
  }

  public boolean booleanAt(int column) throws SQLException {
    return rows.getBoolean(column);
  }

  public Home homeAt(int column) throws SQLException {
    return new Home(rows.getInt(column));
  }

  public String textAt(int column) throws SQLException {
    return rows.getString(column);
  }

  public byte[] bytesAt(int column) throws SQLException {
    return rows.getBytes(column);
  }

  public Instant instantAt(int column) throws SQLException {
    return rows.getObject(column, OffsetDateTime.class).toInstant();
  }

  public boolean isNullAt(int column) throws SQLException {
    return rows.getObject(column) == null;
  }

  public Optional<Long> optionalLongAt(int column) throws SQLException {
    long value = rows.getLong(column);
    return rows.wasNull() ? Optional.empty() : Optional.of(value);
  }

  public Optional<String> optionalTextAt(int column) throws SQLException {
    return Optional.ofNullable(rows.getString(column));
  }

  public Optional<byte[]> optionalBytesAt(int column) throws SQLException {
    return Optional.ofNullable(rows.getBytes(column));
  }

  public Optional<Instant> optionalInstantAt(int column) throws SQLException {
    return Optional.ofNullable(rows.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
