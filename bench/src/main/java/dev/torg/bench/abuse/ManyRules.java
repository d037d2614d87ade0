package dev.torg.bench.abuse;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// One anonymous identity saves as many searches as it can, all of which match what ordinary sellers publish,
/// follows sellers that do not exist, and requests explanations of matches.
final class ManyRules implements Attack {
  private static final int THREADS = 4;

  @Override
  public String name() {
    return "1-searches-and-follows-without-end";
  }

  @Override
  public void run(AbuseTarget target, Attackers attackers) throws InterruptedException {
    String token = target.anonymousToken();
    String offer = target.api().with(target.userToken()).publish("A phone for the curious");
    AtomicInteger number = new AtomicInteger();
    attackers.repeat(
        THREADS,
        Duration.ofMillis(5),
        () -> {
          int next = number.incrementAndGet();
          if (next % 20 == 0) {
            attackers.count(target.post("/v1/favorites/sellers:add", token, sellers(next)));
            attackers.count(target.get("/v1/offers/" + offer + "/why", token));
          }
          return target.post("/v1/favorites/searches", token, search(next));
        });
  }

  /// Distinct searches of which each matches an ordinary offer.
  private static String search(int number) {
    return "{\"query\":{\"category\":\"electronics\",\"price\":{\"to\":{\"amount\":\"%d\",\"currency\":\"EUR\"}}}}"
        .formatted(1_000_000 + number);
  }

  private static String sellers(int from) {
    return IntStream.range(0, 500)
        .mapToObj(i -> "\"user:nobody-" + from + '-' + i + '"')
        .collect(Collectors.joining(",", "{\"sellerIds\":[", "]}"));
  }
}
