/// Background work shared between processes without a coordinator: the work of each group of homes
/// is a lease, a row with an owner, an epoch and an end.
///
/// A [LeasedWork][dev.torg.platform.lease.LeasedWork] is given to
/// [LeaseCoordinator][dev.torg.platform.lease.LeaseCoordinator], which competes for the groups, renews the
/// leases it holds, leaves a new process its share, and runs the steps. Three rules keep a holder that was
/// suspended past the end of its lease from doing harm:
///
/// - it measures its own lease from before it sent the renewal, on a monotonic clock, and starts no step after
///   its end;
/// - a transaction that writes to PostgreSQL first locks the lease row with its epoch
///   ([Lease#check][dev.torg.platform.lease.Lease#check]), which fails after a takeover;
/// - effects elsewhere are fenced there: the relay by the former sender's transactional id.
@NullMarked
package dev.torg.platform.lease;

import org.jspecify.annotations.NullMarked;
