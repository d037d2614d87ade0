package dev.torg.notifications;

import static dev.torg.notifications.BellFixture.NOW;
import static dev.torg.notifications.BellFixture.about;
import static dev.torg.notifications.BellFixture.recipient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.api.v1.NotificationSettings;
import dev.torg.notifications.bell.BellMergeStore;
import dev.torg.notifications.bell.BellReader;
import dev.torg.notifications.merge.PagedBellMerge;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.OfferId;
import dev.torg.testkit.TestDatabase;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BellMergeIT {
  @RegisterExtension static final TestDatabase TABLES = BellFixture.tables();

  private static final BellFixture FIXTURE = new BellFixture(TABLES);
  private static final BellMerge MERGE =
      new PagedBellMerge(FIXTURE.database, FIXTURE.bell, InstantSource.fixed(NOW));
  private static final SettingsService SETTINGS = FIXTURE.settings();

  @AfterAll
  static void close() {
    FIXTURE.close();
  }

  @Test
  void page_untilDone_mergesEntriesCountsAndSettings() {
    String anonymous = recipient();
    String login = recipient();
    IntStream.range(0, 7)
        .forEach(i -> FIXTURE.write(about(anonymous, "n" + i, NotificationTopics.SEARCHES)));
    FIXTURE.write(
        about(login, "n3", NotificationTopics.SEARCHES),
        about(login, "own", NotificationTopics.NEWS));
    FIXTURE.service.markRead(
        anonymous, List.of(FIXTURE.list(anonymous).getLast().getId()), "", false);
    SETTINGS.put(anonymous, NotificationSettings.newBuilder().setTimezone("Asia/Tokyo").build());
    mergeAll(anonymous, login);
    assertThat(FIXTURE.titles(login))
        .containsExactlyInAnyOrder("own", "n0", "n1", "n2", "n3", "n4", "n5", "n6");
    assertThat(FIXTURE.unread(login).getByTopicMap())
        .isEqualTo(Map.of(NotificationTopics.SEARCHES, 6, NotificationTopics.NEWS, 1));
    assertThat(FIXTURE.list(anonymous)).isEmpty();
    assertThat(FIXTURE.unread(anonymous).getTotal()).isZero();
    assertThat(SETTINGS.get(login).getTimezone()).isEqualTo("Asia/Tokyo");
  }

  @Test
  void page_loginHasSettings_theyStay() {
    String anonymous = recipient();
    String login = recipient();
    SETTINGS.put(anonymous, NotificationSettings.newBuilder().setTimezone("Asia/Tokyo").build());
    SETTINGS.put(login, NotificationSettings.newBuilder().setTimezone("Europe/Berlin").build());
    mergeAll(anonymous, login);
    assertThat(SETTINGS.get(login).getTimezone()).isEqualTo("Europe/Berlin");
    assertThat(SETTINGS.get(anonymous).getTimezone()).isEmpty();
  }

  @Test
  void page_copiedButNotRemovedBefore_changesNothingTwice() {
    String anonymous = recipient();
    String login = recipient();
    IntStream.range(0, 3)
        .forEach(i -> FIXTURE.write(about(anonymous, "n" + i, NotificationTopics.NEWS)));
    BellMergeStore entries = new BellMergeStore(InstantSource.fixed(NOW));
    List<BellMergeStore.SourceEntry> page =
        FIXTURE.database.read(tx -> entries.read(tx, anonymous, 10));
    FIXTURE.database.inTransaction(tx -> entries.copy(tx, login, page));
    mergeAll(anonymous, login);
    assertThat(FIXTURE.titles(login)).containsExactly("n2", "n1", "n0");
    assertThat(FIXTURE.unread(login).getTotal()).isEqualTo(3);
  }

  /// Recipients notified in one transaction get the same ids.
  @Test
  void page_loginHasManyIdsInARow_findsAFreeOne() {
    List<String> recipients = FIXTURE.recipientsOfOneShard(2);
    String anonymous = recipients.getFirst();
    String login = recipients.getLast();
    FIXTURE.write(
        Stream.concat(
                Stream.of(about(anonymous, "moved", NotificationTopics.NEWS)),
                IntStream.range(0, 20)
                    .mapToObj(i -> about(login, "own" + i, NotificationTopics.NEWS)))
            .toArray(NewNotification[]::new));
    mergeAll(anonymous, login);
    assertThat(FIXTURE.titles(login)).hasSize(21).contains("moved");
    assertThat(FIXTURE.list(anonymous)).isEmpty();
  }

  /// It was withdrawn on both sides after the page was read, and restored with the page.
  @Test
  void page_offerBannedMeanwhile_isNotRestored() {
    String anonymous = recipient();
    String login = recipient();
    OfferId banned = OfferId.random(new Home(3));
    OfferId other = OfferId.random(new Home(3));
    FIXTURE.write(
        about(anonymous, "banned", NotificationTopics.SEARCHES, banned),
        about(anonymous, "other", NotificationTopics.SEARCHES, other));
    MERGE.page(
        anonymous,
        login,
        10,
        requested -> {
          assertThat(requested).containsExactlyInAnyOrder(banned, other);
          return Set.of(banned);
        });
    assertThat(FIXTURE.titles(login)).containsExactly("other");
    assertThat(FIXTURE.unread(login).getTotal()).isEqualTo(1);
    assertThat(FIXTURE.list(anonymous)).isEmpty();
  }

  /// Its ids are below those that the stream has sent.
  @Test
  void page_streamOfTheLoginIsOpen_sendsWhatWasAdded() {
    String anonymous = recipient();
    String login = recipient();
    FIXTURE.write(
        about(anonymous, "a", NotificationTopics.NEWS),
        about(anonymous, "b", NotificationTopics.NEWS));
    FIXTURE.write(about(login, "own", NotificationTopics.NEWS));
    long notified = Long.parseLong(FIXTURE.list(login).getFirst().getId());
    mergeAll(anonymous, login);
    List<BellReader.Entry> since =
        FIXTURE.database.read(
            tx -> new BellReader(InstantSource.fixed(NOW)).since(tx, login, notified, 10));
    assertThat(since)
        .extracting(entry -> entry.notification().getTitle())
        .containsExactly("a", "b");
    long seq = FIXTURE.database.read(tx -> new BellReader(InstantSource.fixed(NOW)).seq(tx, login));
    assertThat(since.getLast().seq()).isLessThanOrEqualTo(seq);
  }

  @Test
  void write_toMergedRecipient_returnsTheirLogin() {
    List<String> recipients = FIXTURE.recipientsOfOneShard(2);
    String anonymous = recipients.getFirst();
    String login = recipients.getLast();
    mergeAll(anonymous, login);
    WrittenNotifications writtenNotifications =
        FIXTURE.write(
            about(anonymous, "late", NotificationTopics.NEWS),
            about(login, "x", NotificationTopics.NEWS));
    assertThat(writtenNotifications.mergedInto()).isEqualTo(Map.of(anonymous, login));
    assertThat(FIXTURE.list(anonymous)).isEmpty();
    assertThat(FIXTURE.titles(login)).containsExactly("x");
    assertThatThrownBy(() -> FIXTURE.service.markRead(anonymous, List.of(), "", true))
        .isInstanceOfSatisfying(
            Failure.class, f -> assertThat(f.kind()).isEqualTo(Failure.Kind.CONFLICT));
  }

  private static void mergeAll(String anonymous, String login) {
    boolean more = true;
    while (more) {
      more = MERGE.page(anonymous, login, 2, _ -> Set.of());
    }
  }
}
