package dev.torg.testkit.citus;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Opens guarded connections to PostgreSQL. It is registered before PostgreSQL's driver, which would accept the same
/// addresses.
final class GuardedDriver implements Driver {
  private static final String POSTGRESQL = "jdbc:postgresql:";
  private static boolean registered;

  private final Driver postgres;

  private GuardedDriver(Driver postgres) {
    this.postgres = postgres;
  }

  static synchronized void register() {
    if (registered) {
      return;
    }
    try {
      Driver postgres = DriverManager.getDriver(POSTGRESQL + "//localhost/any");
      DriverManager.deregisterDriver(postgres);
      DriverManager.registerDriver(new GuardedDriver(postgres));
      DriverManager.registerDriver(postgres);
      registered = true;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public @Nullable Connection connect(String url, Properties properties) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    Connection connection = postgres.connect(url, properties);
    return connection == null ? null : new GuardedConnection(connection).proxy();
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(POSTGRESQL) && FakeCitus.isGuarded(url);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties)
      throws SQLException {
    return postgres.getPropertyInfo(url, properties);
  }

  @Override
  public int getMajorVersion() {
    return postgres.getMajorVersion();
  }

  @Override
  public int getMinorVersion() {
    return postgres.getMinorVersion();
  }

  @Override
  public boolean jdbcCompliant() {
    return postgres.jdbcCompliant();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger(GuardedDriver.class.getName());
  }
}
