/// What the RPC adapters of all modules share: the caller, and completing a call from a future.
@NullMarked
package dev.torg.platform.rpc;

import org.jspecify.annotations.NullMarked;
