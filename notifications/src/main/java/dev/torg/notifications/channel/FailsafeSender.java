package dev.torg.notifications.channel;

import dev.torg.notifications.Channel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns an unexpected exception of a sender into an unknown outcome: the message may have been sent. Neither the log nor
/// the outcome contains the exception's message, which may contain an address.
public final class FailsafeSender implements ChannelSender {
  private static final Logger LOG = LoggerFactory.getLogger(FailsafeSender.class);

  private final ChannelSender sender;

  public FailsafeSender(ChannelSender sender) {
    this.sender = sender;
  }

  @Override
  public Channel channel() {
    return sender.channel();
  }

  @Override
  public boolean isConfigured() {
    return sender.isConfigured();
  }

  @Override
  public DeliveryOutcome send(OutgoingMessage message) {
    try {
      return sender.send(message);
    } catch (RuntimeException e) {
      LOG.error("sending on {} failed with {} at {}", channel(), e.getClass(), place(e));
      return DeliveryOutcome.unknown("internal-error");
    }
  }

  private static String place(RuntimeException e) {
    StackTraceElement[] trace = e.getStackTrace();
    return trace.length == 0 ? "an unknown place" : trace[0].toString();
  }
}
