package dev.torg.notifications;

import dev.torg.api.v1.Device;
import dev.torg.api.v1.RegisterDeviceRequest;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.contacts.ContactService;
import dev.torg.notifications.contacts.ContactTargets;
import dev.torg.notifications.devices.ClaimedDevices;
import dev.torg.notifications.devices.DeviceService;
import dev.torg.notifications.devices.RegisteredDevice;
import dev.torg.notifications.merge.DevicesMerge;
import dev.torg.notifications.settings.DeviceTimezones;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.notifications.targets.StoredDeliveryTargets;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.identity.SigningKeys;
import dev.torg.platform.net.PublicHostResolver;
import dev.torg.testkit.TestDatabase;
import dev.torg.testkit.TestDirectory;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Devices and contacts on a real database, with senders that record their messages.
final class DevicesFixture implements AutoCloseable {
  private static final Pattern CODE = Pattern.compile("\\d{6}");
  private static final AtomicLong TOKENS = new AtomicLong();

  final Database database;
  final MessageAuthenticator authenticator;
  final ClaimedDevices claimed;
  final ContactTargets contactTargets;
  final DeviceService devices;
  final ContactService contacts;
  final StoredDeliveryTargets targets;
  final DevicesMerge merge;
  final RecordingSender mail = new RecordingSender(Channel.EMAIL);
  final RecordingSender sms = new RecordingSender(Channel.SMS);
  final RecordingSender webhook = new RecordingSender(Channel.WEBHOOK);
  private volatile Instant now = Instant.parse("2026-05-04T10:00:00Z");

  DevicesFixture(TestDatabase tables) {
    InstantSource clock = () -> now;
    this.database = Database.connect(tables.url(), 8);
    this.authenticator =
        new MessageAuthenticator(
            SigningKeys.open(TestDirectory.create("keys").resolve("keys.json"), clock));
    PublicHostResolver hosts =
        new PublicHostResolver(
            host ->
                List.of(
                    InetAddress.getByName(
                        host.endsWith(".example") ? "93.184.215.14" : "10.0.0.1")),
            Set.of());
    this.claimed = new ClaimedDevices(database, clock);
    this.contactTargets = new ContactTargets(database, clock);
    this.devices = new DeviceService(database, claimed, hosts, clock);
    this.contacts =
        new ContactService(
            database,
            clock,
            List.of(mail, sms, webhook),
            hosts,
            authenticator,
            new StoredRecipientSettings(DeviceTimezones.NONE, ZoneOffset.UTC));
    this.targets = new StoredDeliveryTargets(database, claimed, contactTargets);
    this.merge = new DevicesMerge(database, claimed, contactTargets, clock);
  }

  Instant now() {
    return now;
  }

  void advance(Duration time) {
    now = now.plus(time);
  }

  static String anonymous() {
    return BellFixture.recipient().replace("user:", "anon:");
  }

  static String token() {
    return "device-token-" + TOKENS.incrementAndGet();
  }

  static RegisterDeviceRequest android(String token) {
    return RegisterDeviceRequest.newBuilder().setKind(Device.Kind.FCM).setToken(token).build();
  }

  RegisteredDevice register(String owner, String token) {
    return devices.register(owner, android(token));
  }

  List<String> tokens(String owner) {
    return devices.list(owner).stream().map(device -> device.address().token()).toList();
  }

  /// Sets and verifies a mail address.
  void verifyMail(String owner, String address) {
    var _ = contacts.put(owner, dev.torg.notifications.contacts.ContactKind.EMAIL, address);
    var _ =
        contacts.verify(owner, dev.torg.notifications.contacts.ContactKind.EMAIL, mail.lastCode());
  }

  @Override
  public void close() {
    database.close();
  }

  /// Records what it is given. The outcome can be set.
  static final class RecordingSender implements ChannelSender {
    final List<OutgoingMessage> sent = Collections.synchronizedList(new ArrayList<>());
    volatile Function<OutgoingMessage, DeliveryOutcome> outcome = _ -> DeliveryOutcome.delivered();
    volatile boolean isConfigured = true;
    private final Channel channel;

    RecordingSender(Channel channel) {
      this.channel = channel;
    }

    @Override
    public Channel channel() {
      return channel;
    }

    @Override
    public boolean isConfigured() {
      return isConfigured;
    }

    @Override
    public DeliveryOutcome send(OutgoingMessage message) {
      sent.add(message);
      return outcome.apply(message);
    }

    String lastCode() {
      Matcher code = CODE.matcher(sent.getLast().content().text());
      if (!code.find()) {
        throw new AssertionError("no code in " + sent.getLast());
      }
      return code.group();
    }
  }
}
