/// From a configuration to a running Torg and back: the data directory and its lock, the embedded or external
/// servers, the modules wired together, and their orderly shutdown.
@NullMarked
package dev.torg.server.run;

import org.jspecify.annotations.NullMarked;
