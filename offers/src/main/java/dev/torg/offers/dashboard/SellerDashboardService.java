package dev.torg.offers.dashboard;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.lifecycle.OfferAccess;
import dev.torg.offers.store.OfferReader;
import dev.torg.offers.store.PresetStore;
import dev.torg.offers.store.PresetStore.PresetPosition;
import dev.torg.offers.store.Presets;
import dev.torg.offers.store.SellerCounterStore;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.OfferId;
import dev.torg.platform.PageSize;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.rpc.PageBytes;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.ToIntFunction;

/// Returns a seller's offers, counts and counters. Active offers are public; everything else is visible to
/// the seller only.
public final class SellerDashboardService {
  private final Database database;
  private final OfferReader reader;
  private final InstantSource clock;
  private final Executor blocking;
  private final PresetStore presets = new PresetStore();
  private final SellerCounterStore counters = new SellerCounterStore();

  public SellerDashboardService(
      Database database, OfferReader reader, InstantSource clock, Executor blocking) {
    this.database = database;
    this.reader = reader;
    this.clock = clock;
    this.blocking = blocking;
  }

  /// The list to read: a preset of a seller, restricted to one external id unless that is empty.
  public record Listing(
      String seller, Name preset, String externalId, int pageSize, String pageToken) {
    private static final PageSize PAGE_SIZE = new PageSize(50, 200);

    public Listing {
      pageSize = PAGE_SIZE.of(pageSize);
    }
  }

  /// A page and the token of the next one, which is empty at the end.
  public record Page(List<Offer> offers, String nextPageToken) {}

  /// The state of a seller's offers, and the seller's counters.
  public record Counters(Map<Name, Long> states, Map<String, Long> grown) {}

  public CompletableFuture<Page> list(Optional<Caller> caller, Listing listing) {
    if (listing.preset() != Name.ACTIVE) {
      requireSellerOrStaff(caller, listing.seller());
    }
    PresetPosition after = PresetCursor.parse(listing.pageToken());
    return CompletableFuture.supplyAsync(
            () -> database.read(tx -> positions(tx, listing, after)), blocking)
        .thenCompose(positions -> page(caller, listing, positions));
  }

  public CompletableFuture<Map<Name, Long>> counts(Caller caller, String seller) {
    OfferAccess.requireSellerOrStaff(caller, seller);
    return CompletableFuture.supplyAsync(
        () -> database.read(tx -> presets.counts(tx, seller)), blocking);
  }

  public CompletableFuture<Counters> counters(Caller caller, String seller) {
    OfferAccess.requireSellerOrStaff(caller, seller);
    return CompletableFuture.supplyAsync(
        () ->
            database.read(
                tx -> new Counters(presets.counts(tx, seller), counters.counters(tx, seller))),
        blocking);
  }

  private List<PresetPosition> positions(Tx tx, Listing listing, PresetPosition after)
      throws SQLException {
    int size = listing.pageSize() + 1;
    return listing.externalId().isEmpty()
        ? presets.page(tx, listing.seller(), listing.preset(), after, size)
        : presets.page(tx, listing.seller(), listing.preset(), listing.externalId(), after, size);
  }

  private CompletableFuture<Page> page(
      Optional<Caller> caller, Listing listing, List<PresetPosition> positions) {
    List<PresetPosition> requested =
        positions.subList(0, Math.min(listing.pageSize(), positions.size()));
    return reader
        .get(requested.stream().map(SellerDashboardService::id).toList())
        .thenApply(
            offers -> {
              List<PresetPosition> shown =
                  requested.subList(0, PageBytes.fitting(requested, bytes(offers)));
              boolean more = positions.size() > shown.size();
              return new Page(
                  visible(caller, listing, shown, offers),
                  more ? PresetCursor.token(shown.getLast()) : "");
            });
  }

  /// Omits offers that left the preset between the two reads.
  private List<Offer> visible(
      Optional<Caller> caller,
      Listing listing,
      List<PresetPosition> positions,
      Map<OfferId, Offer> offers) {
    return positions.stream()
        .map(position -> offers.get(id(position)))
        .filter(Objects::nonNull)
        .filter(offer -> Presets.of(offer).names().contains(listing.preset()))
        .filter(offer -> OfferAccess.canView(caller, offer, clock.instant()))
        .toList();
  }

  private static ToIntFunction<PresetPosition> bytes(Map<OfferId, Offer> offers) {
    return position -> {
      Offer offer = offers.get(id(position));
      return offer == null ? 0 : offer.getSerializedSize();
    };
  }

  private static OfferId id(PresetPosition position) {
    return new OfferId(position.offer());
  }

  private static void requireSellerOrStaff(Optional<Caller> caller, String seller) {
    OfferAccess.requireSellerOrStaff(
        caller.orElseThrow(
            () -> Failure.unauthenticated("token.missing", "this list needs a token")),
        seller);
  }
}
