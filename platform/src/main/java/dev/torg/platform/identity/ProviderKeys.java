package dev.torg.platform.identity;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import dev.torg.platform.Failure;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The identity provider's public keys, as last fetched.
///
/// A lookup never waits for the network, because it may run on an event loop: keys are fetched on a virtual
/// thread, when they are older than an hour or when an unknown key id is met, at most once in ten seconds.
/// Until a new key has arrived its tokens are refused as UNAVAILABLE, so that clients retry.
final class ProviderKeys {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderKeys.class);
  private static final Duration REFRESH_INTERVAL = Duration.ofHours(1);
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final int CONNECT_MILLIS = 2_000;
  private static final int READ_MILLIS = 5_000;
  private static final int MAX_BYTES = 1_000_000;

  private final URI address;
  private final InstantSource clock;
  private final AtomicBoolean fetching = new AtomicBoolean();
  private volatile JWKSet keys = new JWKSet();
  private volatile Instant fetchedAt = Instant.EPOCH;
  private volatile Instant triedAt = Instant.EPOCH;

  ProviderKeys(URI address, InstantSource clock) {
    this.address = address;
    this.clock = clock;
  }

  JWK find(@Nullable String keyId) {
    JWK key = keyId == null ? null : keys.getKeyByKeyId(keyId);
    if (key == null || fetchedAt.plus(REFRESH_INTERVAL).isBefore(clock.instant())) {
      fetchInBackground();
    }
    if (key == null) {
      throw Failure.unavailable(
          "token.key-unknown", "the identity provider's key is not known yet, try again", null);
    }
    return key;
  }

  void fetchInBackground() {
    if (triedAt.plus(PAUSE).isBefore(clock.instant()) && fetching.compareAndSet(false, true)) {
      triedAt = clock.instant();
      Thread.ofVirtual().name("torg-jwks").start(this::fetch);
    }
  }

  private void fetch() {
    try {
      keys = JWKSet.load(address.toURL(), CONNECT_MILLIS, READ_MILLIS, MAX_BYTES).toPublicJWKSet();
      fetchedAt = clock.instant();
      LOG.info("fetched {} keys of the identity provider", keys.size());
    } catch (IOException | ParseException | RuntimeException e) {
      LOG.warn("cannot fetch the identity provider's keys from {}", address, e);
    } finally {
      fetching.set(false);
    }
  }
}
