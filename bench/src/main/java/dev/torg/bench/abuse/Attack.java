package dev.torg.bench.abuse;

import java.io.IOException;

/// One way to abuse the server.
interface Attack {
  /// The name in the report: the finding it comes from and what it does.
  String name();

  /// Creates what the attack needs, before it is measured.
  default void prepare(AbuseTarget target) throws IOException, InterruptedException {}

  /// Attacks until the deadline and releases every connection before it returns.
  void run(AbuseTarget target, Attackers attackers) throws IOException, InterruptedException;
}
