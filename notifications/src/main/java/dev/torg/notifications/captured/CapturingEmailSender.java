package dev.torg.notifications.captured;

import dev.torg.notifications.Channel;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.ContentLinks;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.email.MailContent;
import dev.torg.notifications.email.MailRenderer;

/// Stores mails instead of sending them.
public final class CapturingEmailSender implements ChannelSender {
  private final CapturedMessageStore store;
  private final MailRenderer renderer;

  public CapturingEmailSender(CapturedMessageStore store, ContentLinks links) {
    this.store = store;
    this.renderer = new MailRenderer(links);
  }

  @Override
  public Channel channel() {
    return Channel.EMAIL;
  }

  @Override
  public boolean isConfigured() {
    return true;
  }

  @Override
  public DeliveryOutcome send(OutgoingMessage message) {
    if (!(message.target() instanceof DeliveryTarget.Email email)) {
      return DeliveryOutcome.rejected("bad-address");
    }
    MailContent mail = renderer.render(message);
    store.add(Channel.EMAIL, email.address(), mail.subject(), mail.text(), mail.html());
    return DeliveryOutcome.delivered();
  }
}
