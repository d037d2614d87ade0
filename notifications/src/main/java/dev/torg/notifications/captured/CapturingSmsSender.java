package dev.torg.notifications.captured;

import dev.torg.notifications.Channel;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.sms.SmsText;

/// Stores SMS instead of sending them.
public final class CapturingSmsSender implements ChannelSender {
  private static final int MAX_SEGMENTS = 3;

  private final CapturedMessageStore store;
  private final ContentLinks links;

  public CapturingSmsSender(CapturedMessageStore store, ContentLinks links) {
    this.store = store;
    this.links = links;
  }

  @Override
  public Channel channel() {
    return Channel.SMS;
  }

  @Override
  public boolean isConfigured() {
    return true;
  }

  @Override
  public DeliveryOutcome send(OutgoingMessage message) {
    if (!(message.target() instanceof DeliveryTarget.Phone phone)) {
      return DeliveryOutcome.rejected("no-phone");
    }
    String text = SmsText.of(message.content(), links, MAX_SEGMENTS);
    store.add(Channel.SMS, phone.number(), "", text, "");
    return DeliveryOutcome.delivered();
  }
}
