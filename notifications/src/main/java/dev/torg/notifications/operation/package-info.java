/// The queue of deliveries on the channels besides the bell: operations, the counts of limits, and the record of
/// attempts.
///
/// [BellOperations][dev.torg.notifications.operation.BellOperations] inserts the operations of new entries in the
/// transaction that writes them. [OperationClaimer][dev.torg.notifications.operation.OperationClaimer] takes those that
/// are due out of the queue: it decides with
/// [ClaimDecisions][dev.torg.notifications.operation.ClaimDecisions], and deletes the operation and counts the limit in
/// one transaction *before* the attempt. So a message is sent at most once.
/// [OutcomeRecorder][dev.torg.notifications.operation.OutcomeRecorder] records what became of it, and queues it again
/// after a definite refusal only. Entries are read, never written.
@NullMarked
package dev.torg.notifications.operation;

import org.jspecify.annotations.NullMarked;
