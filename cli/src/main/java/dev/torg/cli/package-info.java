/// The command line: one class per command, each a thin layer over the modules. Exit codes: 0 done,
/// 1 refused or failed with one sentence on standard error, 2 the command line itself is wrong.
@NullMarked
package dev.torg.cli;

import org.jspecify.annotations.NullMarked;
