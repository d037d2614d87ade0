/// What every module builds on: homes, ids, money, pages and the one kind of failure, and below it
///
/// - `db`: PostgreSQL access, transactions, migrations,
/// - `coalesce`: concurrent requests merged into batches,
/// - `outbox`, `relay`: from a committed change to Kafka,
/// - `kafka`, `projection`: from Kafka to a durable effect,
/// - `lease`, `job`: background work shared between processes,
/// - `idempotency`: a repeated request has one effect and one response,
/// - `identity`, `rpc`: callers, and what RPC adapters share,
/// - `yaml`: the files of operators,
/// - `module`: what the wiring of every business module receives.
///
/// The unit of scale is the [Home][dev.torg.platform.Home]: one logical write touches one home, a change and
/// its events commit together, and data needed in another home is a projection whose rows only move to a higher
/// version.
@NullMarked
package dev.torg.platform;

import org.jspecify.annotations.NullMarked;
