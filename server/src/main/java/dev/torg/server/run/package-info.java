/// From a configuration to a running Torg and back: the data directory and its one holder, the embedded or given
/// servers, the rooms wired together, and their orderly end.
@NullMarked
package dev.torg.server.run;

import org.jspecify.annotations.NullMarked;
