package dev.torg.bench.money;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// A seller who publishes, buys, pays, declines, fills the balance, states intents, and sells; and whose offers are banned
/// and payments refunded. Every request is repeated until it is answered.
final class MoneySeller {
  private static final List<String> SERVICES = List.of("raise", "highlight", "premium", "turbo");
  private static final int MAX_TOP_UP = 2_000;

  private final String name;
  private final SellerClient seller;
  private final SellerClient moderator;
  private final SellerClient admin;
  private final MoneyRecord record;
  private final SplittableRandom random;
  private final List<Offer> offers = new ArrayList<>();
  private final List<String> paid = new ArrayList<>();
  private int number;

  private record Offer(String id, String externalId) {}

  MoneySeller(
      String name,
      SellerClient seller,
      SellerClient moderator,
      SellerClient admin,
      MoneyRecord record,
      SplittableRandom random) {
    this.name = name;
    this.seller = seller;
    this.moderator = moderator;
    this.admin = admin;
    this.record = record;
    this.random = random;
  }

  void act() {
    int dice = random.nextInt(100);
    if (offers.isEmpty() || dice < 20) {
      publish();
    } else if (dice < 60) {
      purchase(offer(), 1);
    } else if (dice < 70) {
      purchase(offer(), 2);
    } else if (dice < 78) {
      topUp();
    } else if (dice < 88) {
      intend();
    } else if (dice < 92) {
      refund();
    } else if (dice < 96) {
      markSold();
    } else {
      ban();
    }
  }

  private Offer offer() {
    return offers.get(random.nextInt(offers.size()));
  }

  /// An offer whose publication is repeated exists twice; one of them is never promoted.
  private void publish() {
    String externalId = "item-" + number++;
    ObjectNode request = ApiClient.JSON.createObjectNode();
    request
        .putObject("offer")
        .put("category", "electronics")
        .put("title", name + " " + externalId)
        .put("externalId", externalId);
    offers.add(new Offer(seller.post("/v1/offers", request).path("id").asText(), externalId));
    record.count("offersPublished");
  }

  /// Several purchases of the same services are paid one right after the other: one is applied, the others are returned.
  private void purchase(Offer offer, int copies) {
    Optional<JsonNode> quote = quote(offer);
    if (quote.isEmpty()) {
      return;
    }
    List<String> created = new ArrayList<>();
    for (int i = 0; i < copies; i++) {
      ObjectNode request = ApiClient.JSON.createObjectNode();
      request.put("offerId", offer.id());
      request.put("quoteToken", quote.get().path("quoteToken").asText());
      request.put("idempotencyKey", name + "-" + number++);
      seller
          .tryPost("/v1/promotions:purchase", request)
          .ifPresent(payment -> created.add(payment.path("paymentId").asText()));
    }
    created.forEach(this::payOrDecline);
    record.count(copies == 1 ? "purchases" : "racingPurchases");
  }

  private Optional<JsonNode> quote(Offer offer) {
    String services = "?service=" + SERVICES.get(random.nextInt(SERVICES.size()));
    if (services.endsWith("raise") && random.nextBoolean()) {
      services += "&service=premium";
    }
    try {
      return Optional.of(seller.get("/v1/offers/" + offer.id() + "/promotions:quote" + services));
    } catch (Failure failure) {
      if (failure.kind() == Failure.Kind.CONFLICT) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /// Some are never paid, and some are paid after they were declined.
  private void payOrDecline(String payment) {
    int dice = random.nextInt(20);
    if (dice == 0) {
      return;
    }
    if (dice < 4) {
      seller.post("/sandbox/payments/" + payment + ":decline");
      record.count("declined");
    }
    if (dice > 2) {
      pay(payment);
    }
  }

  private void pay(String payment) {
    JsonNode state = seller.post("/sandbox/payments/" + payment + ":pay");
    if (state.path("status").asText().equals("PAID")) {
      record.paid(payment);
      paid.add(payment);
    }
  }

  private void topUp() {
    ObjectNode request = ApiClient.JSON.createObjectNode();
    request.put("idempotencyKey", name + "-" + number++);
    request
        .putObject("amount")
        .put("amount", Integer.toString(random.nextInt(100, MAX_TOP_UP)))
        .put("currency", "EUR");
    payOrDecline(seller.post("/v1/sellers/me/balance:topUp", request).path("paymentId").asText());
    record.count("topUps");
  }

  /// Also of an offer that is published later.
  private void intend() {
    String externalId = random.nextInt(4) == 0 ? "item-" + number : offer().externalId();
    ObjectNode request = ApiClient.JSON.createObjectNode();
    request.putArray("services").add(SERVICES.get(random.nextInt(SERVICES.size())));
    seller.put("/v1/sellers/me/promotionIntents/" + externalId, request);
    record.count("intents");
  }

  /// The oldest payment. It may be pending still, returned, or spent: then it is refused.
  private void refund() {
    if (!paid.isEmpty()) {
      String payment = paid.removeFirst();
      ObjectNode request = ApiClient.JSON.createObjectNode().put("reason", "verify money");
      admin
          .tryPost("/v1/payments/" + payment + ":refund", request)
          .ifPresent(_ -> record.count("refundsByAdmin"));
    }
  }

  private void markSold() {
    Offer offer = offers.remove(random.nextInt(offers.size()));
    record.ending(offer.id());
    Optional<JsonNode> sold =
        seller.tryPost("/v1/offers/" + offer.id() + ":markSold", ApiClient.JSON.createObjectNode());
    if (sold.isPresent()) {
      record.ended(offer.id());
      record.count("sold");
    }
  }

  private void ban() {
    Offer offer = offers.remove(random.nextInt(offers.size()));
    record.ending(offer.id());
    ObjectNode request = ApiClient.JSON.createObjectNode();
    request.putObject("opinion").put("verdict", "BAN").putArray("reasons").add("verify money");
    moderator.post("/v1/offers/" + offer.id() + "/opinions", request);
    record.ended(offer.id());
    record.count("banned");
  }
}
