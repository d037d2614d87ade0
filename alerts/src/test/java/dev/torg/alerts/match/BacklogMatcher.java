package dev.torg.alerts.match;

import com.google.protobuf.Timestamp;
import dev.torg.alerts.AlertsFixture;
import dev.torg.alerts.engine.EngineView;
import dev.torg.alerts.event.AlertSettings;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.OfferEvent;
import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.platform.db.Database;
import dev.torg.platform.kafka.Event;
import dev.torg.queries.QueryCanonicalizer;
import dev.torg.testkit.TestClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A matcher in a separate process that handles a backlog in one call: offers that each match every search.
/// Every search has the same subscribers. Prints `matched` at the end.
final class BacklogMatcher {
  private BacklogMatcher() {}

  /// The database, how many offers, searches, sellers, and subscribers of each search.
  public static void main(String[] arguments) throws Exception {
    TestClock clock = new TestClock();
    AlertSettings settings = AlertSettings.defaults(AlertsFixture.temporary());
    try (AlertsFixture fixture =
            new AlertsFixture(Database.connect(arguments[0], 4), clock, settings);
        Engine engine = Engine.create(clock)) {
      for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
        engine.add(QueryCanonicalizer.canonical(AlertsFixture.cars("-word" + i)));
      }
      new OfferMatchingConsumer(
              new OfferMatchingConsumer.Dependencies(
                  fixture.database,
                  fixture.offers.offers(),
                  new SameSubscribers(Integer.parseInt(arguments[4])),
                  (_, _) -> {},
                  _ -> {},
                  clock,
                  fixture.registry),
              searches(engine),
              settings)
          .handle(
              backlog(
                  Integer.parseInt(arguments[1]), Integer.parseInt(arguments[3]), clock.instant()));
    }
    System.out.println("matched");
  }

  private static EngineView searches(Engine engine) {
    return new EngineView() {
      @Override
      public Engine engine() {
        return engine;
      }

      @Override
      public boolean isRecent(SearchId id) {
        return false;
      }
    };
  }

  private static List<Event> backlog(int offers, int sellers, Instant now) {
    Timestamp at = Timestamp.newBuilder().setSeconds(now.getEpochSecond()).build();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < offers; i++) {
      String seller = "user:backlog" + i % sellers;
      Offer offer =
          AlertsFixture.car("A car", 1000).toBuilder()
              .setId(OfferId.random(Home.of(seller)).toString())
              .setSellerId(seller)
              .setStatus(Offer.Status.ACTIVE)
              .setVersion(1)
              .setActivatedAt(at)
              .build();
      byte[] payload = OfferEvent.newBuilder().setAfter(offer).setAt(at).build().toByteArray();
      events.add(new Event("torg.offers", 0, i, offer.getId(), 1, payload, now, false));
    }
    return events;
  }
}
