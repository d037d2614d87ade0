package dev.torg.embedded;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The settings that the server is started with. Durability is set explicitly although these are
/// PostgreSQL's defaults, so that it is not turned off by accident.
final class PostgresSettings {
  /// Many rounds protect passwords that people choose. These are 256 random bits, and each connection costs the
  /// rounds on both sides: at PostgreSQL's 4,096, some 50 ms in a JVM that has just started.
  static final String SCRAM_ITERATIONS = "scram_iterations=256";

  private static final long MEGABYTE = 1024 * 1024;

  private final Map<String, String> values = new LinkedHashMap<>();

  private PostgresSettings(long sharedMegabytes, long walMegabytes) {
    values.put("fsync", "on");
    values.put("synchronous_commit", "on");
    values.put("full_page_writes", "on");

    values.put("listen_addresses", "127.0.0.1");
    values.put("unix_socket_directories", "");
    values.put("max_connections", "100");
    values.put("password_encryption", "scram-sha-256");

    values.put("shared_buffers", sharedMegabytes + "MB");
    values.put("work_mem", "16MB");
    values.put("maintenance_work_mem", "128MB");
    // Few, long checkpoints: each one makes every page's next change a full page in the log.
    values.put("max_wal_size", walMegabytes + "MB");
    values.put("min_wal_size", walMegabytes / 2 + "MB");
    values.put("checkpoint_timeout", "10min");
    values.put("checkpoint_completion_target", "0.9");
    values.put("wal_compression", "pglz");
    values.put("wal_buffers", "16MB");
    // A new log grows by a file every second under load. Filling each with zeros first would double
    // the writes that every COMMIT waits for.
    values.put("wal_init_zero", "off");
    values.put("random_page_cost", "1.1");
    // Our statements are short; compiling them costs more than it saves.
    values.put("jit", "off");
    // Outbox and queue tables turn over many times a minute.
    values.put("autovacuum", "on");
    values.put("autovacuum_naptime", "2s");
    values.put("autovacuum_vacuum_scale_factor", "0.05");
    values.put("autovacuum_vacuum_cost_limit", "1000");
    // The plans rely on indexes, not on fresh statistics: a growing table is analyzed less often.
    values.put("autovacuum_analyze_scale_factor", "0.25");
    // A client that vanished during a transaction must not hold its locks for long.
    values.put("idle_in_transaction_session_timeout", "60s");
    values.put("tcp_keepalives_idle", "30");
    values.put("timezone", "UTC");
    values.put("log_timezone", "UTC");
    values.put("log_lock_waits", "on");
  }

  /// An eighth of the machine's memory, between 128 MB and 2 GB: the JVM and the file cache need memory as
  /// well.
  static PostgresSettings forMachine() {
    OperatingSystemMXBean machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long eighth = machine.getTotalMemorySize() / 8 / MEGABYTE;
    return new PostgresSettings(Math.clamp(eighth, 128, 2048), 4096);
  }

  static PostgresSettings small() {
    return new PostgresSettings(128, 512);
  }

  List<String> arguments() {
    List<String> arguments = new ArrayList<>(List.of("-c", SCRAM_ITERATIONS));
    values.forEach((name, value) -> arguments.addAll(List.of("-c", name + "=" + value)));
    return arguments;
  }
}
