package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.settings.DeviceTimezones;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.notifications.wiring.DevicesWiring;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.net.HostResolver;
import dev.torg.platform.net.PublicHostResolver;
import dev.torg.platform.outbox.Outbox;
import dev.torg.server.RunningServer.Reply;
import dev.torg.testkit.TestDatabase;
import io.grpc.BindableService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The way of a code over JSON: set an address, receive the code, verify; and a webhook.
class ContactRoutesIT {
  @RegisterExtension
  static final TestDatabase TABLES =
      TestDatabase.fresh(
          "notifications",
          url -> Migrations.of("platform", NotificationsWiring.MIGRATIONS).migrate(url));

  private static final List<OutgoingMessage> SENT = new CopyOnWriteArrayList<>();
  private static final Database DATABASE = Database.connect(TABLES.url(), 4);
  private static final RunningServer SERVER = new RunningServer(service());

  private final String[] bearer = {"Authorization", "Bearer " + SERVER.user()};

  @AfterAll
  static void close() {
    SERVER.close();
    DATABASE.close();
  }

  @Test
  void mail_setAndVerified_isListed() {
    Reply put =
        SERVER.send(
            "PUT", "/v1/contacts", "{\"kind\":\"EMAIL\",\"address\":\"Bob@EXAMPLE.com\"}", bearer);
    assertThat(put.status()).as(put.body()).isEqualTo(200);
    assertThat(put.json().path("address").asText()).isEqualTo("Bob@example.com");
    assertThat(put.json().path("verified").asBoolean()).isFalse();
    Reply wrong = verify("EMAIL", "no");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().path("code").asText()).isEqualTo("contact.code-wrong");
    Reply verified = verify("EMAIL", lastCode());
    assertThat(verified.status()).as(verified.body()).isEqualTo(200);
    assertThat(verified.json().path("kind").asText()).isEqualTo("EMAIL");
    assertThat(verified.json().path("verified").asBoolean()).isTrue();
    Reply list = SERVER.get("/v1/contacts", bearer);
    assertThat(list.json().at("/contacts/0")).isEqualTo(verified.json());
    assertThat(SERVER.send("DELETE", "/v1/contacts?kind=EMAIL", null, bearer).status())
        .isEqualTo(200);
    assertThat(SERVER.get("/v1/contacts", bearer).json().path("contacts")).isEmpty();
  }

  @Test
  void webhook_onAllowedHost_isVerifiedByItsFirstCall() {
    Reply put =
        SERVER.send(
            "PUT",
            "/v1/contacts",
            "{\"kind\":\"WEBHOOK\",\"address\":\"http://127.0.0.1:9/hook\"}",
            bearer);
    assertThat(put.json().path("verified").asBoolean()).as(put.body()).isTrue();
    assertThat(put.json().path("secret").asText()).startsWith("whsec_");
    assertThat(SERVER.get("/v1/contacts", bearer).body())
        .contains("http://127.0.0.1:9/hook")
        .doesNotContain("whsec_");
    assertThat(SERVER.send("DELETE", "/v1/contacts?kind=WEBHOOK", null, bearer).status())
        .isEqualTo(200);
  }

  @Test
  void sms_withoutSender_isConflict() {
    Reply put =
        SERVER.send(
            "PUT", "/v1/contacts", "{\"kind\":\"PHONE\",\"address\":\"+4915112345678\"}", bearer);
    assertThat(put.status()).isEqualTo(409);
    assertThat(put.json().path("code").asText()).isEqualTo("contact.channel-off");
  }

  private Reply verify(String kind, String code) {
    return SERVER.post(
        "/v1/contacts:verify", "{\"kind\":\"%s\",\"code\":\"%s\"}".formatted(kind, code), bearer);
  }

  private static String lastCode() {
    Matcher code = Pattern.compile("\\d{6}").matcher(SENT.getLast().content().text());
    assertThat(code.find()).isTrue();
    return code.group();
  }

  private static BindableService service() {
    InstantSource clock = InstantSource.system();
    return new DevicesWiring(
            new ModuleContext(DATABASE, new Outbox(), clock, new SimpleMeterRegistry()),
            new DevicesWiring.Dependencies(
                NotificationTopics.defaults(),
                new StoredRecipientSettings(DeviceTimezones.NONE, ZoneOffset.UTC),
                List.of(sender(Channel.EMAIL), sender(Channel.WEBHOOK)),
                new PublicHostResolver(HostResolver.SYSTEM, Set.of("127.0.0.1")),
                RunningServer.newTokens().messageAuthenticator(),
                "http://localhost"))
        .services()
        .getFirst();
  }

  private static ChannelSender sender(Channel channel) {
    return new ChannelSender() {
      @Override
      public Channel channel() {
        return channel;
      }

      @Override
      public boolean isConfigured() {
        return true;
      }

      @Override
      public DeliveryOutcome send(OutgoingMessage message) {
        SENT.add(message);
        return DeliveryOutcome.delivered();
      }
    };
  }
}
