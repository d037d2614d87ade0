package dev.torg.offers.draft;

import static dev.torg.offers.wiring.OffersFixture.anonymous;
import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.kindOf;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.Offer;
import dev.torg.offers.draft.Takeover.Step;
import dev.torg.offers.lifecycle.DraftKey;
import dev.torg.offers.store.PhotoPartStore;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.Home;
import dev.torg.platform.outbox.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OpenDraftIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private static final PhotoPartStore PHOTOS = new PhotoPartStore(new Outbox());

  private static final AtomicInteger NEXT = new AtomicInteger();

  private final DraftService drafts = TakeoverSteps.service(OFFERS, PHOTOS, _ -> {});
  private Caller login = user("0");
  private Caller visitor = anonymous("0");

  @BeforeEach
  void newUsers() {
    int number = NEXT.incrementAndGet();
    login = user("login" + number);
    visitor = anonymous("visitor" + number);
  }

  /// The complete table: the existing drafts in the order of their updates, the requested category, the
  /// caller, and the resulting draft: its former owner or 'new', and its category afterwards.
  @ParameterizedTest(name = "{0}, wanted {1}, {2}: {3} in {4}")
  @CsvSource({
    "none, -, login, new, -",
    "none, cars, login, new, cars",
    "anon:jobs, -, login, anon, jobs",
    "anon:jobs, jobs, login, anon, jobs",
    "anon:jobs, cars, login, anon, cars",
    "login:jobs, -, login, login, jobs",
    "login:jobs, jobs, login, login, jobs",
    "login:jobs, cars, login, login, cars",
    "login:jobs anon:cars, -, login, anon, cars",
    "anon:cars login:jobs, -, login, login, jobs",
    "login:jobs anon:cars, jobs, login, login, jobs",
    "anon:cars login:jobs, cars, login, anon, cars",
    "login:jobs anon:jobs, jobs, login, anon, jobs",
    "anon:jobs login:jobs, jobs, login, login, jobs",
    "login:jobs anon:jobs, cars, login, login, cars",
    "login:jobs anon:cars, comics, login, login, comics",
    "none, -, anon, new, -",
    "none, cars, anon, new, cars",
    "anon:jobs, -, anon, anon, jobs",
    "anon:jobs, jobs, anon, anon, jobs",
    "anon:jobs, cars, anon, anon, cars",
    "login:jobs, -, anon, new, -",
    "login:jobs anon:cars, jobs, anon, anon, jobs",
  })
  void open_everyCombination_followsTheTable(
      String existing, String requested, String callerName, String winner, String category) {
    List<DraftRow> created = create(existing);
    boolean byLogin = callerName.equals("login");
    Optional<String> anonymous = byLogin ? Optional.of(visitor.subject()) : Optional.empty();
    Caller caller = byLogin ? login : visitor;
    DraftRow opened = await(drafts.open(caller, optional(requested), anonymous));

    Optional<DraftRow> from =
        created.stream().filter(draft -> draft.owner().startsWith(prefix(winner))).findFirst();
    assertThat(created.stream().map(DraftRow::id).filter(opened.id()::equals).toList())
        .isEqualTo(from.map(DraftRow::id).stream().toList());
    assertThat(opened.content().getCategory()).isEqualTo(optional(category).orElse(""));
    boolean reset =
        from.isPresent() && !requested.equals("-") && !was(from.get()).equals(requested);
    assertThat(opened.content().getTitle()).isEqualTo(reset || from.isEmpty() ? "" : "Kept");
    assertThat(draftsOf(caller)).containsExactly(opened.id().toString());
    assertThat(await(drafts.get(new DraftKey(caller.subject(), opened.id())))).isEqualTo(opened);
    if (byLogin) {
      assertThat(draftsOf(visitor)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void takeover_interruptedAfterAnyStep_isCompletedByNextOpen(Step last) {
    DraftRow anonymousDraft = open(visitor, "cars");
    assertThatThrownBy(() -> interrupt(last, Optional.empty())).hasMessage("cut off after " + last);
    assertThat(ids()).containsExactly(anonymousDraft.id().toString());

    DraftRow opened = await(drafts.open(login, Optional.empty(), Optional.empty()));
    assertThat(opened.id()).isEqualTo(anonymousDraft.id());
    assertOneDraftRemains(anonymousDraft.id().toString());
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void takeover_interruptedAfterAnyStep_isCompletedByJob(Step last) {
    DraftRow own = open(login, "jobs");
    OFFERS.clock.advance(Duration.ofSeconds(1));
    DraftRow anonymousDraft = open(visitor, "cars");
    assertThatThrownBy(() -> interrupt(last, Optional.of("cars")))
        .hasMessage("cut off after " + last);

    OFFERS.clock.advance(Duration.ofMinutes(2));
    new CompleteTakeoversJob(OFFERS.database(), PHOTOS)
        .run(List.of(Home.of(login.subject())), OFFERS.clock.instant());
    assertThat(own.id()).isNotEqualTo(anonymousDraft.id());
    assertOneDraftRemains(anonymousDraft.id().toString());
  }

  @Test
  void update_whileBeingTakenOver_isConflict() {
    DraftRow anonymousDraft = open(visitor, "cars");
    assertThatThrownBy(() -> interrupt(Step.FROZEN, Optional.empty()));
    DraftKey key = new DraftKey(visitor.subject(), anonymousDraft.id());
    assertThat(kindOf(() -> drafts.update(key, car("Too late", 1)))).isEqualTo("CONFLICT");
    assertThat(kindOf(() -> drafts.delete(key))).isEqualTo("CONFLICT");
    assertThat(await(drafts.get(key)).id()).isEqualTo(anonymousDraft.id());
  }

  @Test
  void open_concurrently_createsOneDraft() {
    List<CompletableFuture<DraftRow>> opened = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      opened.add(drafts.open(login, Optional.of("cars"), Optional.empty()));
    }
    Set<String> ids =
        opened.stream().map(o -> await(o).id().toString()).collect(Collectors.toSet());
    assertThat(ids).hasSize(1);
    assertThat(draftsOf(login)).containsExactlyElementsOf(ids);
  }

  @Test
  void open_sameAnonymousDraftByTwoLogins_isTakenOverByOne() {
    DraftRow anonymousDraft = open(visitor, "cars");
    Caller rival = user("rival" + NEXT.incrementAndGet());
    Optional<String> token = Optional.of(visitor.subject());
    CompletableFuture<DraftRow> first = drafts.open(login, Optional.empty(), token);
    CompletableFuture<DraftRow> second = drafts.open(rival, Optional.empty(), token);
    List<String> ids = List.of(await(first).id().toString(), await(second).id().toString());
    assertThat(ids).containsOnlyOnce(anonymousDraft.id().toString()).doesNotHaveDuplicates();
  }

  @Test
  void open_unknownCategory_isInvalid() {
    assertThat(kindOf(() -> drafts.open(login, Optional.of("nowhere"), Optional.empty())))
        .isEqualTo("INVALID");
  }

  @Test
  void delete_thenOpen_createsNewDraft() {
    DraftRow first = open(login, "cars");
    await(drafts.delete(new DraftKey(login.subject(), first.id())));
    assertThat(kindOf(() -> drafts.get(new DraftKey(login.subject(), first.id()))))
        .isEqualTo("NOT_FOUND");
    assertThat(open(login, "cars").id()).isNotEqualTo(first.id());
  }

  @Test
  void eraseIdle_afterHalfAYear_erasesAnonymousDraftsOnly() {
    open(login, "cars");
    open(visitor, "cars");
    OFFERS.clock.advance(Duration.ofDays(181));
    EraseIdleDraftsJob job = new EraseIdleDraftsJob(OFFERS.database(), PHOTOS);
    for (Caller owner : List.of(login, visitor)) {
      OFFERS.database().inTransaction(tx -> job.run(tx, owner.home(), OFFERS.clock.instant()));
    }
    assertThat(draftsOf(visitor)).isEmpty();
    assertThat(draftsOf(login)).hasSize(1);
  }

  private void interrupt(Step last, Optional<String> requested) {
    DraftService mortal =
        TakeoverSteps.service(
            OFFERS,
            PHOTOS,
            step -> {
              if (step == last) {
                throw new IllegalStateException("cut off after " + last);
              }
            });
    await(mortal.open(login, requested, Optional.of(visitor.subject())));
  }

  private List<DraftRow> create(String existing) {
    List<DraftRow> created = new ArrayList<>();
    for (String draft : existing.equals("none") ? new String[0] : existing.split(" ")) {
      String[] parts = draft.split(":");
      Caller owner = parts[0].equals("login") ? login : visitor;
      DraftRow opened = open(owner, parts[1]);
      OFFERS.clock.advance(Duration.ofSeconds(1));
      created.add(opened);
    }
    return created;
  }

  private DraftRow open(Caller owner, String category) {
    DraftRow opened = await(drafts.open(owner, Optional.of(category), Optional.empty()));
    Offer content = Offer.newBuilder().setCategory(category).setTitle("Kept").build();
    return await(drafts.update(new DraftKey(owner.subject(), opened.id()), content));
  }

  /// The ids of all visible drafts of both identities.
  private Set<String> ids() {
    Set<String> ids = draftsOf(login);
    ids.addAll(draftsOf(visitor));
    return ids;
  }

  private void assertOneDraftRemains(String id) {
    assertThat(draftsOf(login)).containsExactly(id);
    assertThat(draftsOf(visitor)).isEmpty();
    assertThat(count("SELECT count(*) FROM draft_takeover WHERE owner = ?", login)).isZero();
    assertThat(count("SELECT count(*) FROM current_draft WHERE owner = ?", login)).isEqualTo(1);
    assertThat(count("SELECT count(*) FROM current_draft WHERE owner = ?", visitor)).isZero();
  }

  private long count(String sql, Caller owner) {
    return OFFERS
        .database()
        .read(tx -> tx.sql(sql).set(owner.subject()).list(row -> row.longAt(1)))
        .getFirst();
  }

  private Set<String> draftsOf(Caller owner) {
    return OFFERS
        .database()
        .read(
            tx ->
                tx.sql("SELECT id::text FROM draft WHERE owner = ?")
                    .set(owner.subject())
                    .list(row -> row.textAt(1)))
        .stream()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String was(DraftRow draft) {
    return draft.content().getCategory();
  }

  private static String prefix(String winner) {
    return switch (winner) {
      case "login" -> "user:";
      case "anon" -> "anon:";
      default -> "none";
    };
  }

  private static Optional<String> optional(String text) {
    return Optional.of(text).filter(t -> !t.equals("-"));
  }
}
