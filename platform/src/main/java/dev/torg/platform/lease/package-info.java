/// Background work shared between processes without a coordinator: the work of each group of homes
/// is a lease, a row with an owner, an epoch and an end.
///
/// A [LeasedWork][dev.torg.platform.lease.LeasedWork] is given to
/// [LeaseCoordinator][dev.torg.platform.lease.LeaseCoordinator], which competes for the groups, keeps what it holds
/// alive, leaves a newcomer its share, and runs the steps. Three things keep a holder that slept
/// through its lease from doing harm:
///
/// - it measures its own lease from before it asked for the renewal, on a clock that never jumps,
///   and starts no step after its end;
/// - what it writes to PostgreSQL first locks the lease row with the epoch it was given
///   ([Lease#check][dev.torg.platform.lease.Lease#check]), which fails after a takeover;
/// - what it does elsewhere is fenced there: the relay by the former sender's transactional id.
@NullMarked
package dev.torg.platform.lease;

import org.jspecify.annotations.NullMarked;
