package dev.torg.cli;

import dev.torg.platform.Failure;
import picocli.CommandLine.Command;

/// Only the help of `torg test`: the `./torg` script runs the tests itself, since they come before a build.
@Command(
    name = "test",
    description = {
      "Builds and runs every test; installs what the tests need that is missing (chromium, where root).",
      "Further arguments are passed to Maven: ./torg test -pl offers -am"
    })
final class TestCommand implements Runnable {
  @Override
  public void run() {
    throw Failure.invalid(
        "test.script", "tests are run by the script: ./torg test", "test", "is run by the script");
  }
}
