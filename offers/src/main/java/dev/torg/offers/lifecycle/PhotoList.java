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

/// The photos of an offer or draft while they are changed: the visible photos together with their
/// sources. Pure; times are microseconds.
public final class PhotoList {
  /// Photos of one offer at most.
  public static final int MAX_PHOTOS = 30;

  /// After so long a feed that names a photo again has it tried again, if the trouble may have passed.
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

  /// As the offer shows them; the part has the same ones, in whatever order.
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

  /// Refuses a further photo if there are too many.
  public static void requireSpace(int photos) {
    if (photos >= MAX_PHOTOS) {
      throw Failure.invalid(
          "photos.too-many", "too many photos", "photos", "must be at most " + MAX_PHOTOS);
    }
  }

  /// At the end, to be prepared. An uploaded one has no address.
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

  /// Whether that changes anything.
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

  /// Makes these addresses the photos, in their order: those that are known stay as they are, new ones
  /// are to be prepared, others go. An address that is none fails at once. What is named twice counts
  /// once; beyond the limit the rest is left out. Whether anything changed.
  public boolean replaceWith(List<String> urls, long feedTask, long at) {
    Map<String, Entry> known = new HashMap<>();
    entries.forEach(entry -> known.putIfAbsent(entry.source().getUrl(), entry));
    List<Entry> wanted =
        urls.stream()
            .map(PhotoList::shortened)
            .filter(url -> !url.isEmpty())
            .distinct()
            .limit(MAX_PHOTOS)
            .map(url -> wanted(known.get(url), url, feedTask, at))
            .toList();
    boolean changed = !wanted.equals(entries);
    entries.stream()
        .filter(entry -> !wanted.contains(entry))
        .forEach(entry -> removed.add(entry.id()));
    entries.clear();
    entries.addAll(wanted);
    return changed;
  }

  /// Requests photos of feeds again that failed for a transient reason. Whether there were any.
  public boolean retryFailed(long feedTask, long at) {
    boolean any = false;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.source().getFeedTask() > 0 && isToTryAgain(entry, at)) {
        removed.add(entry.id());
        entries.set(i, wanted(entry, entry.source().getUrl(), feedTask, at));
        any = true;
      }
    }
    return any;
  }

  /// When [#retryFailed] will find something, in microseconds.
  public static OptionalLong nextRetryAt(PhotosPart part) {
    return part.getPhotosList().stream()
        .filter(source -> source.getFeedTask() > 0 && source.getPassing())
        .mapToLong(source -> source.getAnsweredAt() + RETRY_AFTER_MICROS)
        .min();
  }

  /// The source of the photo that the answer changed; empty if the photo no longer exists, has a later
  /// answer, or is unchanged.
  public Optional<PhotoSource> answer(PhotoEvent event, long at) {
    Optional<Entry> found = find(event.getPhotoId());
    if (found.isEmpty() || found.get().source().getAnsweredAt() > at) {
      return Optional.empty();
    }
    Entry before = found.get();
    Entry after = new Entry(answered(event), answered(before.source(), event, at));
    if (after.shown().equals(before.shown())) {
      return Optional.empty();
    }
    entries.set(entries.indexOf(before), after);
    return Optional.of(after.source());
  }

  /// Requests the pending photos again: answers to their former owner are dropped.
  public void requestPending() {
    entries.stream()
        .filter(entry -> entry.shown().getStatus() == Status.PENDING)
        .forEach(entry -> requested.add(entry.source()));
  }

  /// Asks for what is pending or ready, in the name of the offer that a draft has become: pending photos
  /// are answered to the offer, and the worker learns which offer shows those that are ready.
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

  /// What has to be prepared since this list was made.
  public List<PhotoSource> requested() {
    return List.copyOf(requested);
  }

  /// The ids of what is shown no more since this list was made.
  public List<String> removed() {
    return List.copyOf(removed);
  }

  /// How many failed at once, by a bad address.
  public int failed() {
    return failed;
  }

  public Optional<Photo> shown(String id) {
    return find(id).map(Entry::shown);
  }

  private Optional<Entry> find(String id) {
    return entries.stream().filter(entry -> entry.id().equals(id)).findFirst();
  }

  private Entry wanted(@Nullable Entry known, String url, long feedTask, long at) {
    if (known != null && !isToTryAgain(known, at)) {
      return known;
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

  private static Photo answered(PhotoEvent event) {
    Photo.Builder photo = Photo.newBuilder().setId(event.getPhotoId()).setStatus(event.getStatus());
    return event.getStatus() == Status.READY
        ? photo.setSizes(event.getSizes()).build()
        : photo.setError(event.getError()).build();
  }

  private static PhotoSource answered(PhotoSource source, PhotoEvent event, long at) {
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

  /// Shortens an address that is too long; the hash keeps different ones apart.
  private static String shortened(String text) {
    String url = text.strip();
    return url.length() <= PhotoAddress.MAX_LENGTH
        ? url
        : url.substring(0, PhotoAddress.MAX_LENGTH + 1);
  }
}
