/// A repeated request has one effect and one response.
///
/// A call that creates may carry a key, scoped by caller and method. The key, a hash of the body and the
/// response are stored for seven days in the home that the call writes to, and they are written in the same
/// transaction as the effect: there is no state 'running' that a crash could leave behind. A concurrent request
/// with the same key waits on the row until the first has committed and then gets its response, or acquires the
/// key if the first rolled back.
///
/// Most calls go through a coalescer: [IdempotentWriteHandler] wraps their handler. Others use the
/// [IdempotencyStore] in their own transaction.
@NullMarked
package dev.torg.platform.idempotency;

import org.jspecify.annotations.NullMarked;
