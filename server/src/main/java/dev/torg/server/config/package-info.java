/// The configuration: every setting in one table ([dev.torg.server.config.Setting]), read once from the command line,
/// the environment and one file into one immutable record.
@NullMarked
package dev.torg.server.config;

import org.jspecify.annotations.NullMarked;
