package dev.torg.bench;

import picocli.CommandLine.Command;

/// `torg verify NAME`: proves a promise under hostile conditions and exits 1 on any violation.
@Command(
    name = "verify",
    description = "Prove a promise of Torg under hostile conditions.",
    mixinStandardHelpOptions = true,
    subcommands = {})
public final class Verify {}
