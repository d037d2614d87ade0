package dev.torg.offers.feed;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.money;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Preset.Name;
import dev.torg.offers.FeedFormat;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.dashboard.SellerDashboardService.Listing;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.OfferId;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A seller that sends feeds.
final class FeedSeller {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  final Caller caller = OffersFixture.user("feed-" + NUMBERS.incrementAndGet());
  private final OffersFixture offers;

  FeedSeller(OffersFixture offers) {
    this.offers = offers;
  }

  StoredFeedTask send(long task, List<String> items) {
    return send(task, true, false, String.join("\n", items) + "\n");
  }

  StoredFeedTask send(long task, String... items) {
    return send(task, List.of(items));
  }

  StoredFeedTask force(long task, String... items) {
    return send(task, true, true, String.join("\n", items) + "\n");
  }

  StoredFeedTask part(long task, String... items) {
    return send(task, false, false, String.join("\n", items) + "\n");
  }

  StoredFeedTask send(long task, boolean complete, boolean force, String ndjson) {
    return send(
        task, complete, force, new ByteArrayInputStream(ndjson.getBytes(StandardCharsets.UTF_8)));
  }

  StoredFeedTask send(long task, boolean complete, boolean force, InputStream file) {
    return send(FeedFormat.NDJSON, task, complete, force, file);
  }

  StoredFeedTask send(long task, FeedFormat format, byte[] file) {
    return send(format, task, true, false, new ByteArrayInputStream(file));
  }

  private StoredFeedTask send(
      FeedFormat format, long task, boolean complete, boolean force, InputStream file) {
    return offers
        .feeds()
        .files()
        .store(
            caller, new FeedUploadRequest(caller.subject(), task, format, complete, force), file);
  }

  StoredFeedTask finish(long task, boolean force) {
    return offers.feeds().service().finish(caller, key(task), force);
  }

  StoredFeedTask task(long task) {
    return offers.feeds().service().get(caller, key(task));
  }

  List<String> errors(long task) {
    return offers.feeds().service().errors(caller, key(task), -1, 0, 1_000).stream()
        .map(FeedSeller::text)
        .toList();
  }

  StoredFeedTask.Key key(long task) {
    return new StoredFeedTask.Key(caller.subject(), task);
  }

  /// The seller's only offer with that external id.
  Offer offer(String externalId) {
    List<Offer> offers = listed(externalId);
    assertThat(offers).as(externalId).hasSize(1);
    return offers.getFirst();
  }

  void reprice(String externalId, long amount) {
    edit(offer(externalId).toBuilder().setPrice(money(amount)));
  }

  void rename(String externalId, String newId) {
    edit(offer(externalId).toBuilder().setExternalId(newId));
  }

  /// Edits manually, not by a feed.
  private void edit(Offer.Builder edited) {
    OfferId id = OfferId.parse(edited.getId());
    await(offers.offers().update(caller, id, edited.build(), OptionalLong.empty()));
  }

  List<Offer> listed(String externalId) {
    return await(
            offers
                .dashboard()
                .list(
                    Optional.of(caller),
                    new Listing(caller.subject(), Name.ALL, externalId, 200, "")))
        .offers();
  }

  /// All offers that are not removed, by external id and title.
  List<String> offers() {
    List<String> titles = new ArrayList<>();
    String token = "";
    do {
      var page =
          await(
              offers
                  .dashboard()
                  .list(
                      Optional.of(caller),
                      new Listing(caller.subject(), Name.ALL, "", 200, token)));
      page.offers().forEach(offer -> titles.add(offer.getExternalId() + " " + offer.getTitle()));
      token = page.nextPageToken();
    } while (!token.isEmpty());
    return titles.stream().sorted().toList();
  }

  long count(Name preset) {
    return await(offers.dashboard().counts(caller, caller.subject())).getOrDefault(preset, 0L);
  }

  static String item(String externalId, String title) {
    return "{\"externalId\":\"%s\",\"category\":\"electronics\",\"title\":\"%s\"}"
        .formatted(externalId, title);
  }

  static List<String> items(int from, int to, String title) {
    return IntStream.range(from, to).mapToObj(i -> item("i" + i, title + " " + i)).toList();
  }

  static String counts(StoredFeedTask task) {
    FeedCounts c = task.counts();
    return "%s created=%d updated=%d unchanged=%d removed=%d failed=%d ignored=%d duplicates=%d"
        .formatted(
            task.status(),
            c.created(),
            c.updated(),
            c.unchanged(),
            c.removed(),
            c.failed(),
            c.ignored(),
            c.duplicates());
  }

  private static String text(FeedEntry.Invalid error) {
    return error.line() + " " + error.externalId() + " " + error.code();
  }

  static String joined(List<String> items) {
    return items.stream().collect(Collectors.joining("\n", "", "\n"));
  }
}
