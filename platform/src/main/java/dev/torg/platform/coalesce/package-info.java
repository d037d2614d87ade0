/// Concurrent requests merged into batches, so that a busy server spends one transaction and a
/// handful of round trips on many of them.
///
/// **Smart batching.** A request is put into a queue and wakes an idle worker. The worker takes all
/// that waits, up to a bound, and runs it as one batch; what arrives meanwhile forms the next one.
/// So an idle system adds no wait, and the busier it is the larger the batches grow. The only wait
/// comes right after a batch of many: up to a quarter of the time it took and 5 ms, in which its
/// callers' next requests arrive and make the next batch as large.
///
/// **Lanes.** A [WriteCoalescer] has lanes, each a queue with one worker; items of one key share a
/// lane and so keep their order. On plain PostgreSQL a few lanes mix homes. On Citus a lane is one
/// home, because a batch must stay in one shard, and permits bound how many run at once. A
/// [ReadCoalescer] needs no order: on plain PostgreSQL its workers share one queue.
///
/// **Failing alone.** The handler decides every item by itself and says so by [Outcome]s; what fails
/// by its own fault does not hinder the others. If the batch as a whole fails before COMMIT, its
/// items run one by one. If the answer to COMMIT is lost, nothing runs again: the handler looks for
/// each item's token in the rows, and who cannot be told surely hears UNAVAILABLE.
///
/// **Bounds.** What waits is bounded in total, by lane and by caller ([Backlog]); keys whose rows stay
/// locked by another process pause ([WriteBatchRunner]).
///
/// **Cost.** An item costs one object, one queue node and a few atomic operations. Futures complete
/// on the worker's thread, without a hop to another one: what hangs on them must not block.
@NullMarked
package dev.torg.platform.coalesce;

import org.jspecify.annotations.NullMarked;
