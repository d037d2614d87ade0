/// Concurrent requests merged into batches, so that a loaded server spends one transaction and a handful of
/// round trips on many of them.
///
/// **Smart batching** (Martin Thompson, "Smart Batching", Mechanical Sympathy blog, 2011). A request is put
/// into a queue and wakes an idle worker. The worker takes everything that waits, up to a bound, and runs it as
/// one batch; requests that arrive meanwhile form the next one. So an idle system adds no delay, and batches
/// grow with the load. The only delay follows a large batch: up to a quarter of the time it took and at most 5
/// ms, in which its callers' next requests arrive and fill the next batch.
///
/// **Lanes.** A [WriteCoalescer] has lanes, each a queue with one worker; items of one key share a lane and so
/// keep their order. On plain PostgreSQL a few lanes mix homes. On Citus a lane is one shard, because a transaction
/// writes one shard, and permits bound how many run concurrently. A [ReadCoalescer] needs no order: on
/// plain PostgreSQL its workers share one queue.
///
/// **Isolation of failures.** The handler decides every item separately and returns [Outcome]s; an item that is
/// refused does not affect the others. If the batch as a whole fails before COMMIT, its items run one by one.
/// If the response to COMMIT is lost, nothing is retried: the handler searches for each item's token in the
/// rows, and callers whose outcome stays unknown receive UNAVAILABLE.
///
/// **Bounds.** Waiting items are bounded in total, by lane and by caller ([Backlog]); keys whose rows stay
/// locked by another process pause ([WriteBatchRunner]).
///
/// **Cost.** An item costs one object, one queue node and a few atomic operations. Futures complete on the
/// worker's thread, without a thread switch: dependent stages must not block.
@NullMarked
package dev.torg.platform.coalesce;

import org.jspecify.annotations.NullMarked;
