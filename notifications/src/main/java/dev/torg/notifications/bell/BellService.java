package dev.torg.notifications.bell;

import dev.torg.api.v1.ListNotificationsResponse;
import dev.torg.api.v1.UnreadCount;
import dev.torg.notifications.NotificationTopics;
import dev.torg.platform.Failure;
import dev.torg.platform.PageSize;
import dev.torg.platform.PageToken;
import dev.torg.platform.db.Database;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// What the owner of a bell does with it: list, count, mark as read.
public final class BellService {
  private static final PageSize PAGE_SIZE = new PageSize(50, 200);
  private static final int MAX_IDS = 500;

  private final Database database;
  private final NotificationTopics topics;
  private final InstantSource clock;
  private final Consumer<Set<String>> changed;
  private final BellReader reader;
  private final MarkRead marking = new MarkRead(new BellStore());

  public BellService(
      Database database,
      NotificationTopics topics,
      InstantSource clock,
      Consumer<Set<String>> changed) {
    this.database = database;
    this.topics = topics;
    this.clock = clock;
    this.changed = changed;
    this.reader = new BellReader(clock);
  }

  /// A page, newest first. Its token is the id of its last entry, so new entries do not shift the pages.
  public ListNotificationsResponse list(
      String owner, BellFilter filter, int pageSize, String pageToken) {
    filter.topics().forEach(this::requireTopic);
    int size = PAGE_SIZE.of(pageSize);
    long below = pageToken.isEmpty() ? Long.MAX_VALUE : id(pageToken);
    List<BellReader.Entry> entries =
        database.read(tx -> reader.list(tx, owner, below, filter, size + 1));
    ListNotificationsResponse.Builder page = ListNotificationsResponse.newBuilder();
    entries.stream().limit(size).forEach(entry -> page.addNotifications(entry.notification()));
    if (entries.size() > size) {
      page.setNextPageToken(token(entries.get(size - 1).id()));
    }
    return page.build();
  }

  public UnreadCount unreadCount(String owner) {
    return database.read(tx -> reader.unreadCount(tx, owner));
  }

  /// Marks by exactly one of ids, topic and all, and returns the remaining unread counts.
  public UnreadCount markRead(String owner, List<String> ids, String topic, boolean all) {
    int criteria = (ids.isEmpty() ? 0 : 1) + (topic.isEmpty() ? 0 : 1) + (all ? 1 : 0);
    if (criteria != 1) {
      throw Failure.invalid(
          "mark-read.unclear", "say what to mark", "ids", "give exactly one of ids, topic, all");
    }
    if (ids.size() > MAX_IDS) {
      throw Failure.invalid("batch.too-large", "too many ids", "ids", "at most 500");
    }
    if (!topic.isEmpty()) {
      requireTopic(topic);
    }
    long[] numbers = ids.stream().mapToLong(BellService::number).toArray();
    UnreadCount remaining = mark(owner, numbers, topic, all);
    changed.accept(Set.of(owner));
    return remaining;
  }

  private UnreadCount mark(String owner, long[] ids, String topic, boolean all) {
    return database.inTransaction(
        tx -> {
          if (all) {
            marking.all(tx, owner, clock.instant());
          } else if (topic.isEmpty()) {
            marking.ids(tx, owner, ids, clock.instant());
          } else {
            marking.topic(tx, owner, topic, clock.instant());
          }
          return reader.unreadCount(tx, owner);
        });
  }

  private void requireTopic(String topic) {
    if (!topics.has(topic)) {
      throw Failure.invalid(
          "topic.unknown", "there is no such topic", "topic", "see /v1/notifications/topics");
    }
  }

  private static long number(String id) {
    try {
      return Long.parseLong(id);
    } catch (NumberFormatException e) {
      throw Failure.invalid("notification-id.malformed", "not a notification id", "ids", id);
    }
  }

  private static String token(long id) {
    byte[] text = Long.toString(id).getBytes(StandardCharsets.US_ASCII);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
  }

  private static long id(String token) {
    try {
      return Long.parseLong(
          new String(Base64.getUrlDecoder().decode(token), StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      throw PageToken.invalid();
    }
  }
}
