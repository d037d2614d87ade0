package dev.torg.bench.notifications;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import org.postgresql.PGConnection;

/// Rows to be copied into a table.
final class CopiedTable {
  private final String columns;
  private final StringBuilder rows = new StringBuilder();

  /// @param columns the table and its columns: `bell (home, owner)`
  CopiedTable(String columns) {
    this.columns = columns;
  }

  void add(Object... values) {
    for (int i = 0; i < values.length; i++) {
      rows.append(i == 0 ? "" : "\t").append(values[i]);
    }
    rows.append('\n');
  }

  /// As text of `COPY`.
  static String bytes(byte[] value) {
    return "\\\\x" + HexFormat.of().formatHex(value);
  }

  /// Copies the rows and forgets them. Returns the nanoseconds that PostgreSQL took.
  long flush(Connection connection) throws SQLException, IOException {
    StringReader text = new StringReader(rows.toString());
    rows.setLength(0);
    long start = System.nanoTime();
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY " + columns + " FROM STDIN", text);
    return System.nanoTime() - start;
  }
}
