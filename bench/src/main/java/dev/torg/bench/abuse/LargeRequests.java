package dev.torg.bench.abuse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Requests that are small for the protocol and large for the server: unbounded names, maps of
/// hundreds of thousands of entries, millions of JSON tokens.
final class LargeRequests {
  private static final int EIGHT_MB = 8_000_000;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private LargeRequests() {}

  /// Follows 500 sellers with a channel name of 7.9 MB, which a careless server copies 500 times.
  static final class ChannelNames implements Attack {
    @Override
    public String name() {
      return "N1-channel-names";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      String token = target.anonymousToken();
      byte[] large = follow(500, EIGHT_MB - 20_000);
      byte[] small = follow(1, 200_000);
      attackers.repeat(1, PAUSE, () -> target.post("/v1/favorites/sellers:add", token, large));
      try {
        attackers.count(target.post("/v1/favorites/sellers:add", token, small));
      } catch (IOException e) {
        attackers.count(e.getClass().getSimpleName());
      }
    }

    private static byte[] follow(int sellers, int channelLength) {
      String ids =
          IntStream.range(0, sellers)
              .mapToObj(i -> "\"user:abused-" + i + '"')
              .collect(Collectors.joining(","));
      return ("{\"sellerIds\":[" + ids + "],\"settings\":{\"channels\":[\"")
          .concat("a".repeat(channelLength))
          .concat("\"]}}")
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  /// Stores notification settings with 250,000 channels for users who follow a seller that
  /// publishes.
  static final class NotificationSettings implements Attack {
    @Override
    public String name() {
      return "N2-notification-settings";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      String token = target.anonymousToken();
      byte[] settings = settings();
      attackers.repeat(
          1,
          PAUSE,
          () -> {
            target.post(
                "/v1/favorites/sellers:add",
                token,
                "{\"sellerIds\":[\"" + OrdinaryTraffic.SELLER + "\"]}");
            return target.send("PUT", "/v1/notifications/settings", token, settings);
          });
    }

    private static byte[] settings() {
      String channels =
          IntStream.range(0, 250_000)
              .mapToObj(i -> "\"c" + i + "\":{\"muted\":true}")
              .collect(Collectors.joining(","));
      return ("{\"topics\":{\"offers\":{\"channels\":{" + channels + "}}}}")
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  /// Bodies that consist of JSON tokens only, to calls that need no token.
  static final class JsonTokens implements Attack {
    @Override
    public String name() {
      return "3-json-tokens";
    }

    @Override
    public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
      byte[] large = tokens("[", EIGHT_MB);
      byte[] below1MB = tokens("{\"ids\":[", 1_000_000);
      attackers.repeat(
          4,
          PAUSE,
          () -> {
            attackers.count(target.post("/v1/anonymous", null, large));
            attackers.count(target.post("/v1/login", null, below1MB));
            return target.post("/v1/offers:batchGet", null, below1MB);
          });
    }

    private static byte[] tokens(String start, int bytes) {
      return (start + "{},".repeat((bytes - start.length()) / 3)).getBytes(StandardCharsets.UTF_8);
    }
  }
}
