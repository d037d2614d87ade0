package dev.torg.offers.lifecycle;

import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.PhotoEvent;
import dev.torg.offers.part.PhotoSource;
import dev.torg.offers.part.PhotosPart;
import dev.torg.photos.PhotoAddress;
import dev.torg.photos.PhotoIds;
import dev.torg.platform.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The photos of an offer or draft during a change: the visible photos together with their sources. Pure;
/// times are in microseconds.
public final class PhotoList {
  /// Maximum number of photos of one offer.
  public static final int MAX_PHOTOS = 30;

  /// A photo that failed for a transient reason is retried when a feed names it after this time.
  private static final long RETRY_AFTER_MICROS = TimeUnit.HOURS.toMicros(1);

  private static final String BAD_ADDRESS =
      "not an http or https address of at most " + PhotoAddress.MAX_LENGTH + " characters";

  private final List<Entry> entries = new ArrayList<>();
  private final List<PhotoSource> requested = new ArrayList<>();
  private final List<String> removed = new ArrayList<>();
  private int failed;

  private record Entry(Photo shown, PhotoSource source) {
    String id() {
      return shown.getId();
    }
  }

  private PhotoList() {}

  /// The photos in the order in which the offer shows them. The part contains the same photos in any order.
  public static PhotoList of(List<Photo> shown, PhotosPart part) {
    Map<String, PhotoSource> sources = new HashMap<>();
    part.getPhotosList().forEach(source -> sources.put(source.getId(), source));
    PhotoList list = new PhotoList();
    for (Photo photo : shown) {
      PhotoSource source = sources.get(photo.getId());
      list.entries.add(new Entry(photo, source == null ? source(photo.getId()).build() : source));
    }
    return list;
  }

  /// Fails if no further photo may be added.
  public static void requireSpace(int photos) {
    if (photos >= MAX_PHOTOS) {
      throw Failure.invalid(
          "photos.too-many", "too many photos", "photos", "must be at most " + MAX_PHOTOS);
    }
  }

  /// Appends a photo, to be prepared. An uploaded photo has no address.
  public Photo add(String id, Optional<String> url) {
    requireSpace(entries.size());
    PhotoSource source = source(id).setUrl(url.orElse("")).build();
    Photo shown = pending(id);
    entries.add(new Entry(shown, source));
    requested.add(source);
    return shown;
  }

  public void remove(String id) {
    if (!entries.removeIf(entry -> entry.id().equals(id))) {
      throw Failure.notFound("photo.not-found", "no such photo");
    }
    removed.add(id);
  }

  /// Returns whether the order changed.
  public boolean order(List<String> ids) {
    List<Entry> ordered = new ArrayList<>();
    ids.forEach(id -> find(id).ifPresent(ordered::add));
    boolean complete =
        ids.size() == entries.size() && ordered.stream().distinct().count() == ids.size();
    if (!complete) {
      throw Failure.invalid("photos.order", "bad order", "photoIds", "must name every photo once");
    }
    boolean changed = !ordered.equals(entries);
    entries.clear();
    entries.addAll(ordered);
    return changed;
  }

  /// Replaces the photos by those at the addresses, in their order. Existing photos stay as they are, new
  /// ones are to be prepared, the others are removed. A malformed address fails at once. Duplicates count
  /// once; addresses beyond the limit are ignored. Returns whether anything changed.
  public boolean replaceWith(List<String> urls, long feedTask, long at) {
    Map<String, Entry> existing = new HashMap<>();
    entries.forEach(entry -> existing.putIfAbsent(entry.source().getUrl(), entry));
    List<Entry> replacements =
        urls.stream()
            .map(PhotoList::shortened)
            .filter(url -> !url.isEmpty())
            .distinct()
            .limit(MAX_PHOTOS)
            .map(url -> existingOrNew(existing.get(url), url, feedTask, at))
            .toList();
    boolean changed = !replacements.equals(entries);
    entries.stream()
        .filter(entry -> !replacements.contains(entry))
        .forEach(entry -> removed.add(entry.id()));
    entries.clear();
    entries.addAll(replacements);
    return changed;
  }

  /// Requests feed photos that failed for a transient reason again. Returns whether there were any.
  public boolean retryFailed(long feedTask, long at) {
    boolean any = false;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.source().getFeedTask() > 0 && isToTryAgain(entry, at)) {
        removed.add(entry.id());
        entries.set(i, existingOrNew(entry, entry.source().getUrl(), feedTask, at));
        any = true;
      }
    }
    return any;
  }

  /// The time at which [#retryFailed] has something to do, in microseconds.
  public static OptionalLong nextRetryAt(PhotosPart part) {
    return part.getPhotosList().stream()
        .filter(source -> source.getFeedTask() > 0 && source.getPassing())
        .mapToLong(source -> source.getAnsweredAt() + RETRY_AFTER_MICROS)
        .min();
  }

  /// Applies an answer and returns the source of the photo that it changed. Empty if the photo no longer
  /// exists, has a later answer, or is unchanged.
  public Optional<PhotoSource> applyAnswer(PhotoEvent event, long at) {
    Optional<Entry> entry = find(event.getPhotoId());
    if (entry.isEmpty() || entry.get().source().getAnsweredAt() > at) {
      return Optional.empty();
    }
    Entry before = entry.get();
    Entry after = new Entry(withAnswer(event), withAnswer(before.source(), event, at));
    if (after.shown().equals(before.shown())) {
      return Optional.empty();
    }
    entries.set(entries.indexOf(before), after);
    return Optional.of(after.source());
  }

  /// Requests the pending photos again, since answers addressed to their former owner are dropped.
  public void requestPending() {
    entries.stream()
        .filter(entry -> entry.shown().getStatus() == Status.PENDING)
        .forEach(entry -> requested.add(entry.source()));
  }

  /// Requests pending and ready photos on behalf of the offer that a draft has become: answers about
  /// pending photos are then addressed to the offer, and module `photos` records which offer shows the
  /// ready ones.
  public void requestForOffer() {
    entries.stream()
        .filter(entry -> entry.shown().getStatus() != Status.FAILED)
        .forEach(entry -> requested.add(entry.source()));
  }

  public List<Photo> shown() {
    return entries.stream().map(Entry::shown).toList();
  }

  public PhotosPart part() {
    return PhotosPart.newBuilder()
        .addAllPhotos(entries.stream().map(Entry::source).toList())
        .build();
  }

  /// The photos to prepare because of changes made to this list.
  public List<PhotoSource> requested() {
    return List.copyOf(requested);
  }

  /// The ids of photos removed from this list.
  public List<String> removed() {
    return List.copyOf(removed);
  }

  /// The number of photos that failed at once because of a malformed address.
  public int failed() {
    return failed;
  }

  public Optional<Photo> shown(String id) {
    return find(id).map(Entry::shown);
  }

  private Optional<Entry> find(String id) {
    return entries.stream().filter(entry -> entry.id().equals(id)).findFirst();
  }

  private Entry existingOrNew(@Nullable Entry existing, String url, long feedTask, long at) {
    if (existing != null && !isToTryAgain(existing, at)) {
      return existing;
    }
    PhotoSource.Builder source = source(PhotoIds.random()).setUrl(url).setFeedTask(feedTask);
    if (PhotoAddress.parse(url).isEmpty()) {
      failed++;
      return new Entry(
          pending(source.getId()).toBuilder()
              .setStatus(Status.FAILED)
              .setError(BAD_ADDRESS)
              .build(),
          source.setAnsweredAt(at).build());
    }
    requested.add(source.build());
    return new Entry(pending(source.getId()), source.build());
  }

  private static boolean isToTryAgain(Entry entry, long at) {
    return entry.shown().getStatus() == Status.FAILED
        && entry.source().getPassing()
        && at - entry.source().getAnsweredAt() >= RETRY_AFTER_MICROS;
  }

  private static Photo withAnswer(PhotoEvent event) {
    Photo.Builder photo = Photo.newBuilder().setId(event.getPhotoId()).setStatus(event.getStatus());
    return event.getStatus() == Status.READY
        ? photo.setSizes(event.getSizes()).build()
        : photo.setError(event.getError()).build();
  }

  private static PhotoSource withAnswer(PhotoSource source, PhotoEvent event, long at) {
    return source.toBuilder()
        .setAnsweredAt(at)
        .setContent(event.getContent())
        .setPassing(event.getPassing())
        .build();
  }

  private static Photo pending(String id) {
    return Photo.newBuilder().setId(id).setStatus(Status.PENDING).build();
  }

  private static PhotoSource.Builder source(String id) {
    return PhotoSource.newBuilder().setId(id);
  }

  /// Truncates an address that is too long to one character beyond the limit, so that it is still refused.
  private static String shortened(String text) {
    String url = text.strip();
    return url.length() <= PhotoAddress.MAX_LENGTH
        ? url
        : url.substring(0, PhotoAddress.MAX_LENGTH + 1);
  }
}
