package dev.torg.notifications.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.torg.api.v1.Attachment;
import dev.torg.api.v1.Button;
import dev.torg.api.v1.Notification;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.OpenAction;
import dev.torg.notifications.Channel;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.MessageAction;
import dev.torg.notifications.channel.MessageAttachment;
import dev.torg.notifications.channel.MessageButton;
import dev.torg.notifications.channel.OutgoingMessage;
import dev.torg.notifications.operation.ClaimedMessage;
import dev.torg.notifications.operation.DeliveryOperation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MessageComposerTest {
  private static final DeliveryTarget MAIL = new DeliveryTarget.Email("bob@example.com");
  private static final DeliveryTarget IOS = new DeliveryTarget.Apns("d1", "1.0", "aa");
  private static final DeliveryTarget ANDROID = new DeliveryTarget.Fcm("d2", "1.0", "bb");

  private static final Attachment FILE = attachment(Attachment.Kind.FILE, "a.pdf", "p0.jpg");
  private static final Attachment IMAGE = attachment(Attachment.Kind.IMAGE, "1.jpg", "");
  private static final Attachment VIDEO = attachment(Attachment.Kind.VIDEO, "1.mp4", "p1.jpg");
  private static final Attachment BARE_VIDEO = attachment(Attachment.Kind.VIDEO, "2.mp4", "");

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final MessageComposer composer =
      new MessageComposer(
          (recipient, topic, channel) -> "%s/%s/%s".formatted(recipient, topic, channel),
          Set.of("SALE"),
          new DeliveryMetrics(metrics));

  private static Attachment attachment(Attachment.Kind kind, String url, String preview) {
    return Attachment.newBuilder().setKind(kind).setUrl(url).setPreview(preview).build();
  }

  static Stream<Arguments> attachments() {
    return Stream.of(
        Arguments.of(List.of(), List.of(), ""),
        Arguments.of(List.of(IMAGE), List.of(), "1.jpg"),
        Arguments.of(List.of(VIDEO, IMAGE), List.of(), "p1.jpg"),
        Arguments.of(List.of(BARE_VIDEO, IMAGE), List.of(), "1.jpg"),
        Arguments.of(List.of(FILE), List.of(), ""),
        Arguments.of(List.of(FILE, BARE_VIDEO), List.of("m.jpg"), "m.jpg"),
        Arguments.of(List.of(IMAGE), List.of("m.jpg"), "1.jpg"),
        Arguments.of(List.of(), List.of("m.jpg", "n.jpg"), "m.jpg"));
  }

  @ParameterizedTest
  @MethodSource("attachments")
  void compose_image_isTheFirstPicture(
      List<Attachment> attachments, List<String> media, String image) {
    Notification entry =
        Notification.newBuilder().addAllAttachments(attachments).addAllMedia(media).build();
    assertThat(compose(entry, MAIL).content().image().orElse("")).isEqualTo(image);
  }

  @Test
  void compose_attachments_areAllOfKnownKinds() {
    Notification entry =
        Notification.newBuilder()
            .addAllAttachments(List.of(IMAGE, VIDEO, FILE))
            .addAttachments(attachment(Attachment.Kind.KIND_UNSPECIFIED, "x", ""))
            .build();
    assertThat(compose(entry, MAIL).content().attachments())
        .containsExactly(
            new MessageAttachment(MessageAttachment.Kind.IMAGE, "1.jpg", ""),
            new MessageAttachment(MessageAttachment.Kind.VIDEO, "1.mp4", "p1.jpg"),
            new MessageAttachment(MessageAttachment.Kind.FILE, "a.pdf", "p0.jpg"));
  }

  /// As the bell returns it: 7 rather than 7.0.
  @Test
  void compose_payload_isWhatWasSent() throws Exception {
    String payload = "{\"a\":7,\"b\":[1.5,-2,true,null,\"x\",9007199254740992,1.0E300],\"c\":{}}";
    Value.Builder value = Value.newBuilder();
    JsonFormat.parser().merge(payload, value);
    Notification entry =
        Notification.newBuilder().setOpen(OpenAction.newBuilder().setPayload(value)).build();
    assertThat(compose(entry, ANDROID).content().action().payload()).isEqualTo(payload);
  }

  @Test
  void compose_expiry_isThatOfTheLastEntry() {
    Instant first = Instant.parse("2026-05-04T10:00:00Z");
    Instant second = first.plusSeconds(60);
    assertThat(expiry(Optional.of(first))).contains(first);
    assertThat(expiry(Optional.of(second), Optional.of(first))).contains(second);
    assertThat(expiry(Optional.of(second), Optional.empty())).isEmpty();
  }

  @SafeVarargs
  private Optional<Instant> expiry(Optional<Instant>... times) {
    List<ClaimedMessage.Part> parts =
        Stream.of(times)
            .map(time -> part(7, "news", Notification.getDefaultInstance(), Optional.empty(), time))
            .toList();
    return composer
        .compose(
            new ClaimedMessage(parts, List.of(MAIL), NotificationSettings.getDefaultInstance()),
            MAIL)
        .expiresAt();
  }

  @Test
  void compose_open_takesPrecedenceOverAction() {
    Notification entry = Notification.newBuilder().setAction("/old").build();
    assertThat(compose(entry, MAIL).content().action()).isEqualTo(MessageAction.link("/old"));
    Value payload =
        Value.newBuilder()
            .setStructValue(
                Struct.newBuilder().putFields("id", Value.newBuilder().setStringValue("7").build()))
            .build();
    OpenAction open =
        OpenAction.newBuilder()
            .setWeb("/new")
            .setAndroid("torg://a")
            .setIos("torg://i")
            .setType("offer")
            .setPayload(payload)
            .build();
    assertThat(compose(entry.toBuilder().setOpen(open).build(), MAIL).content().action())
        .isEqualTo(new MessageAction("/new", "torg://a", "torg://i", "offer", "{\"id\":\"7\"}"));
    Notification appOnly =
        entry.toBuilder().setOpen(OpenAction.newBuilder().setType("offer")).build();
    assertThat(compose(appOnly, MAIL).content().action())
        .isEqualTo(new MessageAction("", "", "", "offer", ""));
  }

  @Test
  void compose_buttons_openTheirActionOrLink() {
    Notification entry =
        Notification.newBuilder()
            .addButtons(Button.newBuilder().setTitle("Show").setAction("/1"))
            .addButtons(
                Button.newBuilder()
                    .setTitle("Save")
                    .setAction("/2")
                    .setOpen(OpenAction.newBuilder().setWeb("/3")))
            .build();
    assertThat(compose(entry, ANDROID).content().buttons())
        .containsExactly(
            new MessageButton("Show", MessageAction.link("/1")),
            new MessageButton("Save", MessageAction.link("/3")));
  }

  @ParameterizedTest
  @CsvSource({
    "SALE, 1, SALE, 0, 0",
    "SALE, 0, SALE, 0, 0",
    "sale, 1, , 1, 0",
    "LAMP, 0, , 1, 0",
    ", 1, , 0, 1",
    ", 0, , 0, 0"
  })
  void compose_iosCategory_isOneThatTheAppKnows(
      String requested, int buttons, String category, int unknown, int missing) {
    OutgoingMessage message = compose(withButtons(buttons), IOS, Optional.ofNullable(requested));
    assertThat(message.content().iosCategory()).isEqualTo(Optional.ofNullable(category));
    assertThat(plain("unknown")).isEqualTo(unknown);
    assertThat(plain("missing")).isEqualTo(missing);
  }

  @Test
  void compose_iosCategoryForOtherTargets_isOmittedAndNotCounted() {
    assertThat(compose(withButtons(1), ANDROID, Optional.of("LAMP")).content().iosCategory())
        .isEmpty();
    assertThat(compose(withButtons(1), MAIL, Optional.of("SALE")).content().iosCategory())
        .isEmpty();
    assertThat(plain("unknown") + plain("missing")).isZero();
  }

  @ParameterizedTest
  @CsvSource({"searches, user:1/searches/EMAIL", "account, ''", "payments, ''"})
  void compose_unsubscribeUrl_isAbsentForTopicsThatCannotBeMuted(String topic, String url) {
    ClaimedMessage message =
        new ClaimedMessage(
            List.of(part(7, topic, Notification.getDefaultInstance(), Optional.empty())),
            List.of(MAIL),
            NotificationSettings.getDefaultInstance());
    OutgoingMessage composed = composer.compose(message, MAIL);
    assertThat(composed.unsubscribeUrl()).isEqualTo(url);
    assertThat(composed.topic()).isEqualTo(topic);
    assertThat(composed.notificationId()).isEqualTo("7");
    assertThat(composed.recipient()).isEqualTo("user:1");
  }

  @Test
  void compose_severalEntries_areASummaryInThePersonsLanguage() {
    Notification first = Notification.newBuilder().setTitle("First").build();
    Notification second = Notification.newBuilder().setTitle("Second").build();
    ClaimedMessage message =
        new ClaimedMessage(
            List.of(
                part(1, "searches", first, Optional.of("LAMP")),
                part(2, "sellers", second, Optional.of("LAMP"))),
            List.of(IOS),
            NotificationSettings.newBuilder().setLanguage("ru").build());
    OutgoingMessage composed = composer.compose(message, IOS);
    assertThat(composed.notificationId()).isEqualTo("2");
    assertThat(composed.language()).isEqualTo(Locale.of("ru"));
    assertThat(composed.content())
        .isEqualTo(SummaryText.of(Locale.of("ru"), List.of("First", "Second")));
    assertThat(plain("unknown")).isZero();
  }

  private static Notification withButtons(int count) {
    Notification.Builder entry = Notification.newBuilder();
    for (int i = 0; i < count; i++) {
      entry.addButtons(Button.newBuilder().setTitle("Show"));
    }
    return entry.build();
  }

  private double plain(String problem) {
    return metrics.find("torg.delivery.ios.plain").tag("category", problem).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  private OutgoingMessage compose(Notification entry, DeliveryTarget target) {
    return compose(entry, target, Optional.empty());
  }

  private OutgoingMessage compose(
      Notification entry, DeliveryTarget target, Optional<String> category) {
    ClaimedMessage message =
        new ClaimedMessage(
            List.of(part(7, "searches", entry, category)),
            List.of(target),
            NotificationSettings.newBuilder().setLanguage("en").build());
    return composer.compose(message, target);
  }

  private static ClaimedMessage.Part part(
      long id, String topic, Notification entry, Optional<String> category) {
    return part(id, topic, entry, category, Optional.empty());
  }

  private static ClaimedMessage.Part part(
      long id,
      String topic,
      Notification entry,
      Optional<String> category,
      Optional<Instant> expiresAt) {
    DeliveryOperation operation =
        new DeliveryOperation(
            "user:1",
            id,
            Channel.EMAIL,
            topic,
            Instant.EPOCH,
            0,
            false,
            false,
            expiresAt,
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            category,
            Set.of());
    return new ClaimedMessage.Part(
        operation, "key", entry, NotificationTopics.defaults().find(topic).orElseThrow());
  }
}
