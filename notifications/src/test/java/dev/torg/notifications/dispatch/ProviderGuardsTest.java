package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.Channel;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageContent;
import dev.torg.notifications.channel.OutgoingMessage;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProviderGuardsTest {
  private static final int CALLS = 20;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ProviderGuards guards =
      new ProviderGuards(
          DeliverySettings.defaults(), threads, new DeliveryMetrics(registry), _ -> {});

  @AfterEach
  void close() {
    threads.close();
  }

  @Test
  void send_hostOfWebPushesFails_otherPushesContinue() {
    refuse(webPush("https://failing.example/1"));
    assertThat(guards.of(webPush("https://failing.example/2")).allowed()).isZero();
    assertThat(guards.of(webPush("https://other.example/1")).allowed()).isPositive();
    assertThat(guards.allowed(Channel.PUSH)).isPositive();
    assertThat(openHosts("web-push")).isOne();
    assertThat(openHosts("webhook")).isZero();
  }

  @Test
  void send_hostOfAWebhookFails_otherWebhooksContinue() {
    refuse(new DeliveryTarget.Webhook("https://failing.example/1", "secret"));
    assertThat(guards.allowed(Channel.WEBHOOK)).isPositive();
    assertThat(openHosts("webhook")).isOne();
  }

  @Test
  void send_fcmFails_noPushIsAllowed() {
    refuse(new DeliveryTarget.Fcm("id", "1", "token"));
    assertThat(guards.allowed(Channel.PUSH)).isZero();
    assertThat(guards.allowed(Channel.EMAIL)).isPositive();
  }

  private double openHosts(String provider) {
    return registry.get("torg.delivery.hosts.open").tag("provider", provider).gauge().value();
  }

  private static DeliveryTarget webPush(String endpoint) {
    return new DeliveryTarget.WebPush("id", "1", endpoint, "", "");
  }

  private void refuse(DeliveryTarget target) {
    for (int i = 0; i < CALLS; i++) {
      DeliveryOutcome _ = guards.of(target).send(new Refusing(target.channel()), message(target));
    }
  }

  private static OutgoingMessage message(DeliveryTarget target) {
    MessageContent content = MessageContent.of("title", "text");
    return new OutgoingMessage("1", "user:1", "news", target, content, Locale.ENGLISH, "");
  }

  private record Refusing(Channel channel) implements ChannelSender {
    @Override
    public boolean isConfigured() {
      return true;
    }

    @Override
    public DeliveryOutcome send(OutgoingMessage message) {
      return DeliveryOutcome.refused("http-503");
    }
  }
}
