/// What every room stands on: homes, ids, money, pages and the one kind of failure, and below it
///
/// - `db`: PostgreSQL access, transactions, migrations,
/// - `coalesce`: concurrent requests merged into batches,
/// - `outbox`, `lease`, `topics`: from a committed change to Kafka and back into an effect,
/// - `idempotency`: the same request twice has one effect and one answer,
/// - `identity`: who calls.
///
/// The idea behind the scale is the [Home][dev.torg.platform.Home]: one logical write touches one
/// home, a change and its events commit together, and what lives in another home is a projection
/// that only moves forward.
@NullMarked
package dev.torg.platform;

import org.jspecify.annotations.NullMarked;
