package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.Drained;
import dev.torg.bench.process.TorgProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two processes on one database that write the same sellers' offers; one of them is killed under
/// load and restarted.
class TwoProcessesIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final List<String> ARGUMENTS = List.of("--rate-limit", "1000000");

  /// The roles that write and notify; the others would only make its start longer.
  private static final List<String> OF_SECOND =
      List.of("--rate-limit", "1000000", "--roles", "api,relay");

  private static final List<String> SELLERS = List.of("two-a", "two-b", "two-c", "two-d");

  /// Acknowledged writes of each process before the next step.
  private static final int MIN_WRITES = 250;

  @TempDir Path directory;

  @Test
  void killedUnderLoad_everyAcknowledgedWriteIsStoredOnceAndCountsAreExact() throws Exception {
    try (TorgProcess first = TorgProcess.up(directory.resolve("first"), ARGUMENTS);
        ApiClient anonymous = new ApiClient(first.address())) {
      SellerTraffic traffic = new SellerTraffic(tokens(anonymous), token(first, "moderator"));
      write(first, traffic);

      assertThat(traffic.failures()).isEmpty();
      Drained.await(first.running().database(), TIMEOUT);
      OfferTopic topic = OfferTopic.read(first.kafka());
      assertEveryResponseWasCountedOnce(traffic.responses(), topic);
      ApiClient admin = anonymous.with(token(first, "admin"));
      for (String seller : SELLERS) {
        ApiClient own = anonymous.loggedInAs(seller);
        List<Offer> ends = topic.endsOf("user:" + seller);
        assertThatDashboardIsExact(own, ends);
        assertThatCountersAreExact(own, sales(topic, ends));
        String repair = "/v1/sellers/user:" + seller + "/presets:repair";
        assertThat(admin.post(repair, ApiClient.JSON.createObjectNode()).path("corrected").asInt())
            .isZero();
      }
    }
  }

  private void write(TorgProcess first, SellerTraffic traffic) {
    try (SellerTraffic.Through throughFirst = traffic.through(first.address(), 1)) {
      TorgProcess second = traffic.slowly(() -> serve(first));
      try (SellerTraffic.Through throughSecond = traffic.through(second.address(), 2)) {
        awaitSome(throughSecond);
        throughSecond.expectTheEnd();
        second.kill();
      }
      try (TorgProcess restarted = traffic.slowly(() -> serve(first));
          SellerTraffic.Through throughAgain = traffic.through(restarted.address(), 3)) {
        int before = throughFirst.acknowledged();
        awaitSome(throughAgain);
        assertThat(throughFirst.acknowledged()).isGreaterThan(before);
      }
    }
  }

  private TorgProcess serve(TorgProcess first) {
    return TorgProcess.serve(directory.resolve("second"), first, OF_SECOND);
  }

  private static void awaitSome(SellerTraffic.Through through) {
    await().atMost(TIMEOUT).until(() -> through.acknowledged() >= MIN_WRITES);
  }

  private static void assertEveryResponseWasCountedOnce(
      List<JsonNode> responses, OfferTopic topic) {
    assertThat(responses).hasSizeGreaterThan(3 * MIN_WRITES);
    Set<String> seen = new HashSet<>();
    for (JsonNode response : responses) {
      String id = response.path("id").asText();
      long version = response.path("version").asLong();
      assertThat(seen.add(id + "/" + version)).as("returned once: %s/%d", id, version).isTrue();
      Offer published = topic.versionsOf(id).get(version);
      assertThat(published).as("in the topic: %s/%d", id, version).isNotNull();
      assertThat(published.getTitle()).isEqualTo(response.path("title").asText());
      assertThat(published.getStatus().name()).isEqualTo(response.path("status").asText());
    }
    assertThat(topic.gaps()).isEmpty();
  }

  /// The dashboard equals the result of all changes, and counts and counters equal its sums.
  private static void assertThatDashboardIsExact(ApiClient seller, List<Offer> ends) {
    Map<String, String> expected = new TreeMap<>();
    ends.forEach(offer -> expected.put(offer.getId(), offer.getVersion() + offer.getTitle()));
    assertThat(listed(seller)).isEqualTo(expected);

    JsonNode counts = seller.get("/v1/sellers/me/presets").path("counts");
    assertThat(counts.path("ALL").asInt()).isEqualTo(ends.size());
    Map<Status, Integer> byStatus = new HashMap<>();
    ends.forEach(offer -> byStatus.merge(offer.getStatus(), 1, Integer::sum));
    for (Status status : List.of(Status.ACTIVE, Status.WITHDRAWN, Status.BANNED, Status.SOLD)) {
      assertThat(counts.path(status.name()).asInt())
          .as(status.name())
          .isEqualTo(byStatus.getOrDefault(status, 0));
    }
  }

  /// Offers as they were when they were sold. A sale counts permanently, also when the offer is
  /// banned later.
  private static List<Offer> sales(OfferTopic topic, List<Offer> ends) {
    return ends.stream()
        .flatMap(
            end ->
                topic.versionsOf(end.getId()).values().stream()
                    .filter(offer -> offer.getStatus() == Status.SOLD)
                    .limit(1))
        .toList();
  }

  private static void assertThatCountersAreExact(ApiClient seller, List<Offer> sold) {
    JsonNode counters = seller.get("/v1/sellers/me/counters");
    assertThat(counters.path("sold").asInt()).isEqualTo(sold.size());
    assertThat(counters.at("/moneyEarned/0/amount").asLong())
        .isEqualTo(sold.stream().mapToLong(offer -> offer.getPrice().getAmount()).sum());
  }

  private static Map<String, String> listed(ApiClient seller) {
    Map<String, String> listed = new TreeMap<>();
    String token = "";
    do {
      JsonNode page =
          seller.get("/v1/sellers/me/offers?preset=ALL&pageSize=200&pageToken=" + token);
      page.path("offers")
          .forEach(
              offer ->
                  listed.put(
                      offer.path("id").asText(),
                      offer.path("version").asText() + offer.path("title").asText()));
      token = page.path("nextPageToken").asText();
    } while (!token.isEmpty());
    return listed;
  }

  private static Map<String, String> tokens(ApiClient anonymous) {
    Map<String, String> tokens = new TreeMap<>();
    SELLERS.forEach(seller -> tokens.put(seller, anonymous.token(seller)));
    return tokens;
  }

  private static String token(TorgProcess torg, String role) {
    StringWriter out = new StringWriter();
    int exit =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .execute(
                "token", "--subject", "user:7", "--role", role, "--data", torg.data().toString());
    assertThat(exit).isZero();
    return out.toString().strip();
  }
}
