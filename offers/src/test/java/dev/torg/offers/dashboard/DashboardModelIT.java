package dev.torg.offers.dashboard;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.moderator;
import static dev.torg.offers.wiring.OffersFixture.pet;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Opinion;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.lifecycle.OwnerAction.Action;
import dev.torg.offers.store.Presets;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random operations on the offers of a few sellers, compared with a model of the rules.
class DashboardModelIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final int OPERATIONS = 400;
  private static final Caller MODERATOR = moderator("m");

  private final DashboardChecks checks = new DashboardChecks(OFFERS);

  /// An offer of the model.
  private static final class Model {
    Status status;
    Status former = Status.ACTIVE;
    final boolean premoderated;
    boolean approved;
    long price;

    Model(boolean premoderated) {
      this.premoderated = premoderated;
      this.status = premoderated ? Status.PENDING : Status.ACTIVE;
      this.approved = !premoderated;
    }

    /// An offer that becomes public in a premoderated category has been approved.
    void review() {
      approved = false;
      if (status == Status.ACTIVE) {
        status = Status.PENDING;
      }
    }

    boolean to(Status next, Status... from) {
      boolean legal = List.of(from).contains(status);
      status = legal ? next : status;
      return legal;
    }
  }

  private static final class SellerModel {
    final Caller caller;
    final Map<String, Model> offers = new LinkedHashMap<>();
    long sold;
    long earned;

    SellerModel(Caller caller) {
      this.caller = caller;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void randomOperations_keepCountsRowsAndCountersEqualToTheModel(long seed) {
    Random random = new Random(seed);
    List<SellerModel> sellers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sellers.add(new SellerModel(user("model" + seed + "-" + i)));
    }
    for (int i = 0; i < OPERATIONS; i++) {
      operate(random, sellers.get(random.nextInt(sellers.size())));
      if (i % 50 == 0) {
        sellers.forEach(this::assertLikeModel);
      }
    }
    sellers.forEach(this::assertLikeModel);
    sellers.forEach(seller -> checks.assertExact(seller.caller));
    assertThat(await(OFFERS.repair().repairAll())).isZero();
  }

  private void operate(Random random, SellerModel seller) {
    if (seller.offers.isEmpty() || random.nextInt(4) == 0) {
      publish(random, seller);
      return;
    }
    List<String> ids = List.copyOf(seller.offers.keySet());
    String id = ids.get(random.nextInt(ids.size()));
    OfferId offer = OfferId.parse(id);
    Model model = seller.offers.get(id);
    Caller caller = seller.caller;
    boolean expected;
    CompletableFuture<Offer> response;
    switch (random.nextInt(9)) {
      case 0 -> {
        expected = model.to(Status.WITHDRAWN, Status.ACTIVE);
        response = OFFERS.offers().apply(caller, offer, Action.WITHDRAW);
      }
      case 1 -> {
        Status next = model.approved ? Status.ACTIVE : Status.PENDING;
        expected = model.to(next, Status.WITHDRAWN, Status.EXPIRED);
        response = OFFERS.offers().apply(caller, offer, Action.REACTIVATE);
      }
      case 2 -> {
        expected = model.status != Status.REMOVED && random.nextInt(3) == 0;
        if (!expected) {
          return;
        }
        model.status = Status.REMOVED;
        response = OFFERS.offers().apply(caller, offer, Action.REMOVE);
      }
      case 3 -> {
        expected = model.to(Status.SOLD, Status.ACTIVE);
        boolean here = random.nextBoolean();
        Optional<Money> price =
            random.nextBoolean() ? Optional.of(new Money(7, "EUR")) : Optional.empty();
        if (expected && here) {
          seller.sold++;
          seller.earned += price.map(Money::amount).orElse(model.price);
        }
        response = OFFERS.offers().markSold(caller, offer, price, here);
      }
      case 4, 5 -> {
        Status before = model.status;
        expected = model.status != Status.REMOVED;
        model.status = expected ? Status.BANNED : before;
        model.former = expected && before != Status.BANNED ? before : model.former;
        response = giveOpinion(offer, Opinion.Verdict.BAN);
      }
      case 6 -> {
        expected = model.status == Status.BANNED;
        model.status = expected ? model.former : model.status;
        model.approved |= expected && model.former != Status.PENDING;
        response = giveOpinion(offer, Opinion.Verdict.UNBAN);
      }
      case 7 -> {
        expected = model.status != Status.BANNED;
        model.to(Status.ACTIVE, Status.PENDING);
        model.approved |= expected;
        response = giveOpinion(offer, Opinion.Verdict.OK);
      }
      default -> {
        expected = model.status != Status.SOLD && model.status != Status.REMOVED;
        if (!expected) {
          return;
        }
        model.price = model.price + 1 + random.nextInt(100);
        if (model.premoderated) {
          model.review();
        }
        response = OFFERS.offers().update(caller, offer, content(model), OptionalLong.empty());
      }
    }
    assertThat(succeeds(response)).isEqualTo(expected);
  }

  private static CompletableFuture<Offer> giveOpinion(OfferId offer, Opinion.Verdict verdict) {
    return OFFERS
        .moderation()
        .applyOpinion(MODERATOR, offer, Opinion.newBuilder().setVerdict(verdict).build());
  }

  private static void publish(Random random, SellerModel seller) {
    Model model = new Model(random.nextInt(3) == 0);
    model.price = 1 + random.nextInt(100);
    Offer offer = await(OFFERS.offers().publish(seller.caller, content(model)));
    seller.offers.put(offer.getId(), model);
  }

  private static Offer content(Model model) {
    return model.premoderated
        ? pet("A cat").toBuilder().setPrice(OffersFixture.money(model.price)).build()
        : car("A car", model.price);
  }

  private static boolean succeeds(CompletableFuture<Offer> response) {
    try {
      await(response);
      return true;
    } catch (Failure failure) {
      assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFLICT);
      return false;
    }
  }

  private void assertLikeModel(SellerModel seller) {
    Map<Name, Long> expected = new TreeMap<>();
    for (Name name : Presets.NAMES) {
      expected.put(name, seller.offers.values().stream().filter(m -> shows(name, m)).count());
    }
    assertThat(checks.counts(seller.caller)).isEqualTo(expected);
    for (Name name : Presets.NAMES) {
      List<String> newestFirst =
          seller.offers.entrySet().stream()
              .filter(entry -> shows(name, entry.getValue()))
              .map(Map.Entry::getKey)
              .toList()
              .reversed();
      assertThat(checks.list(seller.caller, seller.caller.subject(), name, 7))
          .isEqualTo(newestFirst);
    }
    var counters = await(OFFERS.dashboard().counters(seller.caller, seller.caller.subject()));
    assertThat(counters.grown().getOrDefault("sold", 0L)).isEqualTo(seller.sold);
    assertThat(counters.grown().getOrDefault("earned/EUR", 0L)).isEqualTo(seller.earned);
  }

  private static boolean shows(Name preset, Model model) {
    return switch (preset) {
      case ALL -> model.status != Status.REMOVED;
      case WITH_PROBLEMS -> model.status == Status.BANNED;
      default -> model.status.name().equals(preset.name());
    };
  }
}
