package dev.torg.offers.lifecycle;

import com.google.protobuf.Value;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.offers.category.AttributeSchema;
import dev.torg.offers.category.Categories;
import dev.torg.offers.category.CategoryNode;
import dev.torg.offers.category.OfferValidator;
import dev.torg.offers.category.ValidatedOffer;
import dev.torg.offers.part.ModerationPart;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.offers.part.PromotionsPart;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// Builds the input of commands and describes their decisions in one line, for table tests without a
/// database.
///
/// Offers are in one of three categories: [#OPEN] needs no approval; [#HIDDEN] and [#VISIBLE] are
/// premoderated, and an approved offer is hidden or stays visible while an edit is reviewed.
public final class OfferSituations {
  public static final String OPEN = "phones";
  public static final String HIDDEN = "pets";
  public static final String VISIBLE = "jobs";

  /// The time of commands, in microseconds.
  public static final long NOW = EpochMicros.of(Instant.parse("2026-06-01T12:00:00Z"));

  public static final long DAY = EpochMicros.of(Duration.ofDays(1));
  public static final Duration LIFETIME = Duration.ofDays(60);

  /// The expiry of an offer that is activated or prolonged now.
  public static final long FULL_TERM = NOW + EpochMicros.of(LIFETIME);

  public static final OfferId ID = OfferId.parse("0070000000000013");
  public static final Caller OWNER = new Caller("user:owner", Set.of(Role.USER));
  public static final Caller OTHER_USER = new Caller("user:stranger", Set.of(Role.USER));
  public static final Caller MODERATOR =
      new Caller("user:moderator", Set.of(Role.USER, Role.MODERATOR));

  /// The versions of a stored offer, unless a test sets others: the current one, and the last one with new
  /// content.
  public static final long VERSION = 5;

  public static final long EDITED = 3;

  private static final Map<String, CategoryNode> CATEGORIES =
      Map.of(
          OPEN, category(OPEN, false, false),
          HIDDEN, category(HIDDEN, true, false),
          VISIBLE, category(VISIBLE, true, true));

  public static final PublishingTerms TERMS =
      new PublishingTerms(
          new OfferValidator(new Categories(List.copyOf(CATEGORIES.values()))), LIFETIME);

  private final Offer.Builder offer = content(OPEN, "Nokia 3310").toBuilder();
  private final ModerationPart.Builder moderation = ModerationPart.newBuilder();
  private final PhotosPart.Builder photos = PhotosPart.newBuilder();
  private final PromotionsPart.Builder promotions = PromotionsPart.newBuilder();
  private long edited = EDITED;

  private OfferSituations() {}

  /// No offer has the id.
  public static Situation none() {
    return new Situation(
        Optional.empty(),
        ModerationPart.getDefaultInstance(),
        PhotosPart.getDefaultInstance(),
        PromotionsPart.getDefaultInstance(),
        Optional.empty());
  }

  /// A draft to publish; `offer` is the offer that it became before.
  public static Situation draft(Offer content, Optional<OfferId> offer) {
    PublishableDraft draft = new PublishableDraft(content, Optional.empty(), offer);
    return new Situation(
        Optional.empty(),
        ModerationPart.getDefaultInstance(),
        PhotosPart.getDefaultInstance(),
        PromotionsPart.getDefaultInstance(),
        Optional.of(draft));
  }

  /// An offer of the owner that has been active for ten days. A pending one was never active, and an
  /// expired one expired yesterday.
  public static OfferSituations offer(Status status) {
    OfferSituations situation = new OfferSituations();
    situation
        .offer
        .setId(ID.toString())
        .setDisplayId(ID.display())
        .setSellerId(OWNER.subject())
        .setStatus(status)
        .setVersion(VERSION)
        .setCreatedAt(EpochMicros.timestamp(NOW - 10 * DAY))
        .setUpdatedAt(EpochMicros.timestamp(NOW - 2 * DAY));
    if (status == Status.BANNED) {
      situation.offer.addBanReasons("spam");
    }
    return status == Status.PENDING
        ? situation
        : situation
            .activated(NOW - 10 * DAY)
            .expires(status == Status.EXPIRED ? NOW - DAY : NOW + 50 * DAY);
  }

  public OfferSituations in(String category) {
    offer.setCategory(category);
    return this;
  }

  public OfferSituations title(String title) {
    offer.setTitle(title);
    return this;
  }

  public OfferSituations price(long amount) {
    offer.setPrice(money(amount));
    return this;
  }

  public OfferSituations version(long version) {
    offer.setVersion(version);
    return this;
  }

  public OfferSituations activated(long at) {
    offer.setActivatedAt(EpochMicros.timestamp(at));
    return this;
  }

  public OfferSituations neverActivated() {
    offer.clearActivatedAt().clearExpiresAt();
    return this;
  }

  /// An imported offer has a term and no time of first activation.
  public OfferSituations imported() {
    offer.clearActivatedAt();
    return this;
  }

  public OfferSituations expires(long at) {
    offer.setExpiresAt(EpochMicros.timestamp(at));
    return this;
  }

  /// The last version with new content.
  public OfferSituations edited(long version) {
    edited = version;
    return this;
  }

  /// The version that the last opinion refers to.
  public OfferSituations judgedVersion(long version) {
    moderation.setJudgedVersion(version);
    return this;
  }

  /// The status before the ban.
  public OfferSituations bannedFrom(Status status) {
    moderation.setFormerStatus(status.getNumber());
    return this;
  }

  /// A record of the moderation topic that was applied before.
  public OfferSituations withAppliedRecord(long record) {
    moderation.addHeard(record);
    return this;
  }

  /// Shown services, and the number of the event that reported them.
  public OfferSituations promotions(long seq, String... services) {
    promotions.setSeq(seq);
    offer.clearPromotions().addAllPromotions(List.of(services));
    return this;
  }

  public OfferSituations photo(String id, Photo.Status status) {
    return photo(Photo.newBuilder().setId(id).setStatus(status).build(), source(id).build());
  }

  public OfferSituations photo(Photo shown, PhotoSource source) {
    offer.addPhotos(shown);
    photos.addPhotos(source);
    return this;
  }

  public Situation situation() {
    return new Situation(
        Optional.of(stored()),
        moderation.build(),
        photos.build(),
        promotions.build(),
        Optional.empty());
  }

  public StoredOffer stored() {
    return new StoredOffer(ID, NOW - 2 * DAY, edited, offer.build());
  }

  public Offer shown() {
    return offer.build();
  }

  public static PhotoSource.Builder source(String id) {
    return PhotoSource.newBuilder().setId(id).setUrl("https://shop.example/" + id + ".jpg");
  }

  /// The content stated by a seller.
  public static Offer content(String category, String title) {
    return Offer.newBuilder()
        .setCategory(category)
        .setTitle(title)
        .setDescription("As new.")
        .setRegion("de/hessen")
        .setExternalId("sku-1")
        .setPrice(money(100))
        .putAttributes("brand", Value.newBuilder().setStringValue("nokia").build())
        .build();
  }

  public static ValidatedOffer checked(Offer content) {
    return TERMS.rules().check(content);
  }

  public static ValidatedOffer checked(String category, String title) {
    return checked(content(category, title));
  }

  public static Money money(long amount) {
    return Money.newBuilder().setAmount(amount).setCurrency("EUR").build();
  }

  /// The status that a change leads to, `unchanged`, `existing`, or the code of the failure.
  public static String outcome(OfferCommand command, Situation situation) {
    try {
      return switch (command.decide(situation)) {
        case Decision.Change change -> change.after().getStatus().name();
        case Decision.NoChange _ -> "unchanged";
        case Decision.ExistingOffer _ -> "existing";
      };
    } catch (Failure failure) {
      return failure.code();
    }
  }

  public static Decision.Change change(OfferCommand command, Situation situation) {
    return (Decision.Change) command.decide(situation);
  }

  public static Decision.NoChange noChange(OfferCommand command, Situation situation) {
    return (Decision.NoChange) command.decide(situation);
  }

  /// The effect of the decision on the moderation queue: the causes, or `leave`; empty for none.
  public static String queue(Decision decision) {
    return String.join(
        " ",
        effects(decision).stream().map(OfferSituations::queue).flatMap(Optional::stream).toList());
  }

  public static List<Effect> effects(Decision decision) {
    return switch (decision) {
      case Decision.Change change -> change.effects();
      case Decision.NoChange noChange -> noChange.effects();
      case Decision.ExistingOffer _ -> List.of();
    };
  }

  /// The only effect of its kind.
  public static <E extends Effect> E effect(Decision decision, Class<E> kind) {
    List<E> matching = effects(decision).stream().filter(kind::isInstance).map(kind::cast).toList();
    if (matching.size() != 1) {
      throw new AssertionError("not one " + kind.getSimpleName() + ": " + effects(decision));
    }
    return matching.getFirst();
  }

  private static Optional<String> queue(Effect effect) {
    return switch (effect) {
      case Effect.Enqueued enqueued -> Optional.of(enqueued.cause().name());
      case Effect.Dequeued _ -> Optional.of("leave");
      case Effect.Sold _,
          Effect.OpinionRecorded _,
          Effect.PhotosChanged _,
          Effect.PromotionsChanged _,
          Effect.PhotoFailed _,
          Effect.DraftPublished _ ->
          Optional.empty();
    };
  }

  private static CategoryNode category(String id, boolean premoderated, boolean visible) {
    AttributeSchema brand =
        new AttributeSchema(
            "brand",
            Map.of(),
            AttributeSchema.Type.TEXT,
            false,
            true,
            "",
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Map.of());
    return new CategoryNode(
        id,
        Optional.empty(),
        Map.of("en", id),
        Map.of("brand", brand),
        List.of(),
        premoderated,
        visible);
  }
}
