package dev.torg.notifications.push;

import com.eatthepath.pushy.apns.ApnsClient;
import com.eatthepath.pushy.apns.ApnsClientBuilder;
import com.eatthepath.pushy.apns.auth.ApnsSigningKey;
import dev.torg.notifications.SenderSettings.Apns;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.channel.OutgoingMessage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/// Sends pushes to iOS devices through APNs.
final class ApnsProvider implements AutoCloseable {
  private static final int MAX_BYTES = 4096;
  private static final int MAX_COLLAPSE_ID_BYTES = 64;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final Pattern TOKEN = Pattern.compile("[0-9a-fA-F]{2,200}");

  private final Apns apns;
  private final ApnsClient client;
  private final InstantSource clock;

  /// @param certificates that the server's certificate may be issued by; empty: those that the JVM trusts
  ApnsProvider(Apns apns, Optional<File> certificates, InstantSource clock) {
    this.apns = apns;
    this.clock = clock;
    this.client = client(apns, certificates);
  }

  private static ApnsClient client(Apns apns, Optional<File> certificates) {
    try {
      ApnsClientBuilder builder =
          new ApnsClientBuilder()
              .setApnsServer(apns.host(), apns.port())
              .setSigningKey(signingKey(apns))
              .setConnectionTimeout(CONNECT_TIMEOUT);
      certificates.ifPresent(builder::setTrustedServerCertificateChain);
      return builder.build();
    } catch (IOException e) {
      throw new IllegalStateException("cannot create the client of APNs", e);
    }
  }

  /// @throws IllegalArgumentException if the file contains no key
  static ApnsSigningKey signingKey(Apns apns) {
    try {
      return ApnsSigningKey.loadFromPkcs8File(apns.key().toFile(), apns.teamId(), apns.keyId());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException("not a signing key of APNs", e);
    }
  }

  DeliveryOutcome send(OutgoingMessage message, DeliveryTarget.Apns device) {
    if (!TOKEN.matcher(device.token()).matches()) {
      return DeliveryOutcome.rejected("bad-token");
    }
    TrackedApnsPush push = push(message, device);
    try {
      return ApnsOutcomes.of(
          client.sendNotification(push).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      return push.abandon()
          ? DeliveryOutcome.refused(ApnsOutcomes.connectReason(e.getCause()))
          : DeliveryOutcome.unknown("connection-lost");
    } catch (TimeoutException e) {
      return push.abandon()
          ? DeliveryOutcome.refused("not-connected")
          : DeliveryOutcome.unknown("timeout");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return push.abandon()
          ? DeliveryOutcome.refused("interrupted")
          : DeliveryOutcome.unknown("interrupted");
    }
  }

  private TrackedApnsPush push(OutgoingMessage message, DeliveryTarget.Apns device) {
    String category = message.content().iosCategory().orElse("");
    byte[] payload =
        ContentFitting.fit(
            message.content(), MAX_BYTES, content -> PushJson.apns(message, content, category));
    Instant now = clock.instant();
    return new TrackedApnsPush(
        device.token(),
        apns.topic(),
        new String(payload, StandardCharsets.UTF_8),
        collapseId(message.notificationId()),
        now.plus(PushLifetime.of(message, now)));
  }

  private static String collapseId(String notificationId) {
    return notificationId.length() > MAX_COLLAPSE_ID_BYTES
        ? notificationId.substring(0, MAX_COLLAPSE_ID_BYTES)
        : notificationId;
  }

  @Override
  public void close() {
    client.close().join();
  }
}
