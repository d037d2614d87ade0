/// What the RPC adapters of all rooms share: who calls, and how a future becomes an answer.
@NullMarked
package dev.torg.platform.rpc;

import org.jspecify.annotations.NullMarked;
