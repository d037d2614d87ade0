package dev.torg.bench.percolator;

import dev.torg.bench.Bench;
import picocli.CommandLine;

/// `bench` with the percolator on its classpath.
public final class PercolatorMain {
  private PercolatorMain() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Bench()).execute(arguments));
  }
}
