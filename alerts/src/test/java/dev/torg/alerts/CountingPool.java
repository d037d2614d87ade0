package dev.torg.alerts;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.torg.testkit.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A database that records the statements it executes.
public final class CountingPool extends HikariDataSource {
  private final List<String> statements = new CopyOnWriteArrayList<>();

  public CountingPool(TestDatabase tables) {
    super(config(tables));
  }

  private static HikariConfig config(TestDatabase tables) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(tables.url());
    config.setMaximumPoolSize(8);
    return config;
  }

  public void reset() {
    statements.clear();
  }

  /// How many statements with this text in them there were since the last reset.
  public long count(String text) {
    return statements.stream().filter(statement -> statement.contains(text)).count();
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = super.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                statements.add((String) arguments[0]);
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
