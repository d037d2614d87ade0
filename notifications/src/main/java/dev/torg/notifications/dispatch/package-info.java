/// Sends what is due on the channels besides the bell (role `delivery`).
///
/// Each channel has its own leases, slots, threads, circuit breakers and rate limits, so one that is slow or fails affects
/// no other. [DeliveryStep][dev.torg.notifications.dispatch.DeliveryStep] works on one group of homes and one channel: it
/// reserves slots ([SendingSlots][dev.torg.notifications.dispatch.SendingSlots]), claims at most as many messages, and
/// passes them to the [MessageDispatcher][dev.torg.notifications.dispatch.MessageDispatcher], which sends each on a thread
/// of its own through its [ProviderGuard][dev.torg.notifications.dispatch.ProviderGuard].
/// [OutcomeQueue][dev.torg.notifications.dispatch.OutcomeQueue] records the outcomes in batches.
///
/// A step sleeps until an operation is queued in this process, or the query for due homes, which runs once a second for
/// all groups of a channel, finds one. Operations that are held back cost nothing until they are due.
@NullMarked
package dev.torg.notifications.dispatch;

import org.jspecify.annotations.NullMarked;
