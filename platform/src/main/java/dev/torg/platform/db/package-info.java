/// PostgreSQL through JDBC: the pool, transactions as a lambda, arrays for `unnest`, migrations per
// room.
///
/// Retries happen only before COMMIT. A COMMIT whose answer was lost is not a failure: the caller
// looks for its token
/// in the row, and when that cannot be done it hears UNAVAILABLE.
@NullMarked
package dev.torg.platform.db;

import org.jspecify.annotations.NullMarked;
