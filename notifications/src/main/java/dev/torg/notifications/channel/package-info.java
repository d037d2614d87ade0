/// Sending one message to one address or device.
///
/// The delivery loop finds the targets of a recipient with
/// [DeliveryTargets][dev.torg.notifications.channel.DeliveryTargets] and passes each message to the
/// [ChannelSender][dev.torg.notifications.channel.ChannelSender] of its channel, which reports a
/// [DeliveryOutcome][dev.torg.notifications.channel.DeliveryOutcome]. A sender decides nothing about limits, quiet hours
/// or retries. It makes one attempt, with timeouts, and distinguishes a definite refusal from an unknown outcome: the first may
/// be repeated, the second never.
@NullMarked
package dev.torg.notifications.channel;

import org.jspecify.annotations.NullMarked;
