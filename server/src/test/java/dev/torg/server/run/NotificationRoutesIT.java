package dev.torg.server.run;

import static dev.torg.server.run.TestTorg.list;
import static dev.torg.server.run.TestTorg.unauthenticated;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.api.v1.Notification;
import dev.torg.notifications.Bell;
import dev.torg.notifications.NewNotification;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.stream.DatabaseBellStreams;
import dev.torg.platform.db.Database;
import dev.torg.server.run.TestTorg.HttpReply;
import dev.torg.server.run.TestTorg.TestUser;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The bell as clients call it. Entries are written as another process would write them: with a
/// separate pool and bell.
class NotificationRoutesIT {
  @RegisterExtension static final TestTorg TORG = TestTorg.shared();

  private static final String BELL = "/v1/notifications";
  private static final String SETTINGS = "/v1/notifications/settings";
  private static final String STREAM = "/v1/notifications/stream";

  private static Database database;
  private static Bell bell;
  private static DatabaseBellStreams live;

  private final TestUser recipient = TORG.user();

  @BeforeAll
  static void startWriter() {
    database = Database.connect(TORG.databaseUrl(), 4);
    live = new DatabaseBellStreams(database, InstantSource.system(), new SimpleMeterRegistry());
    bell =
        new StoredBell(
            InstantSource.system(),
            new BellChanges(List.of(live::changed)),
            new SimpleMeterRegistry());
    live.start();
  }

  @AfterAll
  static void stopWriter() {
    live.close();
    database.close();
  }

  @Test
  void list_ofTopics_isNewestFirstInPages() {
    write("one", "searches");
    write("two", "prices");
    write("three", "searches");
    HttpReply page = TORG.get(recipient, BELL + "?pageSize=2").ok();
    assertThat(page.texts("notifications", "title")).containsExactly("three", "two");
    String next = BELL + "?pageSize=2&pageToken=" + page.text("nextPageToken");
    assertThat(TORG.get(recipient, next).ok().texts("notifications", "title"))
        .containsExactly("one");
    String topics = BELL + "?topic=prices&topic=searches&unreadOnly=true";
    assertThat(TORG.get(recipient, topics).ok().body().path("notifications")).hasSize(3);
    assertThat(TORG.get(recipient, BELL + "?topic=prices").ok().texts("notifications", "title"))
        .containsExactly("two");
    assertThat(TORG.get(TORG.anonymous(), BELL).ok().body().path("notifications")).isEmpty();
  }

  @Test
  void list_byReadState_filtersBothWays() {
    write("one", "searches");
    write("two", "prices");
    write("three", "searches");
    TORG.post(recipient, BELL + ":markRead", "{\"topic\":\"prices\"}").ok();
    assertThat(titles("?read=true")).containsExactly("two");
    assertThat(titles("?read=false")).containsExactly("three", "one");
    assertThat(titles("?unreadOnly=true")).containsExactly("three", "one");
    assertThat(titles("?read=true&topic=searches")).isEmpty();
    assertThat(titles("?read=false&topic=searches&topic=prices&pageSize=1"))
        .containsExactly("three");
    assertThat(titles("?read=true&unreadOnly=true")).isEmpty();
    TORG.get(recipient, BELL + "?read=perhaps").invalid("read");
  }

  private List<String> titles(String query) {
    return TORG.get(recipient, BELL + query).ok().texts("notifications", "title");
  }

  @Test
  void everyCall_ofAnotherCaller_concernsTheirOwnBellOnly() {
    write("mine", "searches");
    TestUser other = TORG.user();
    assertThat(TORG.get(other, BELL).ok().body().path("notifications")).isEmpty();
    assertThat(TORG.get(other, BELL + "/unreadCount").ok().body().path("total").asInt()).isZero();
    String id = TORG.get(recipient, BELL).ok().texts("notifications", "id").getFirst();
    TORG.post(other, BELL + ":markRead", list("ids", List.of(id))).ok();
    TORG.post(other, BELL + ":markRead", "{\"all\":true}").ok();
    assertThat(unread("total")).isEqualTo(1);
    TORG.put(other, SETTINGS, "{\"digestHour\":3}").ok();
    assertThat(TORG.get(recipient, SETTINGS).ok().body().path("digestHour").asInt()).isEqualTo(9);
  }

  @Test
  void everyCall_withoutTokenOrWithABadOne_isRefused() {
    TestUser forged = new TestUser("", "lamp");
    for (String path : List.of(BELL, BELL + "/unreadCount", SETTINGS, STREAM)) {
      TORG.get(unauthenticated(), path).failed(401, "token.missing");
      TORG.get(forged, path).failed(401, "token.invalid");
    }
    TORG.put(forged, SETTINGS, "{}").failed(401, "token.invalid");
    TORG.post(forged, BELL + ":markRead", "{\"all\":true}").failed(401, "token.invalid");
    TORG.get(forged, BELL + "/topics").failed(401, "token.invalid");
  }

  @Test
  void everyCall_ofAnAnonymousIdentity_isAllowed() throws Exception {
    TestUser anonymous = TORG.anonymous();
    TORG.get(anonymous, BELL).ok();
    assertThat(TORG.get(anonymous, BELL + "/unreadCount").ok().body().path("total").asInt())
        .isZero();
    TORG.post(anonymous, BELL + ":markRead", "{\"all\":true}").ok();
    TORG.put(anonymous, SETTINGS, "{\"language\":\"ru\"}").ok();
    assertThat(TORG.get(anonymous, SETTINGS).ok().text("language")).isEqualTo("ru");
    TORG.get(anonymous, BELL + "/topics").ok();
    try (Events events = open(anonymous, null)) {
      assertThat(events.next()).containsEntry("event", "unread");
    }
  }

  @Test
  void list_badParameters_areInvalidWithTheirFields() {
    TORG.get(recipient, BELL + "?topic=lamps").invalid("topic");
    TORG.get(recipient, BELL + "?pageSize=201").invalid("pageSize");
    TORG.get(recipient, BELL + "?pageToken=!").invalid("pageToken");
    TORG.get(recipient, BELL + "?lamp=1").invalid("lamp");
    TORG.get(unauthenticated(), BELL).failed(401, "token.missing");
  }

  @Test
  void markRead_byIdTopicAndAll_returnsTheUnreadCounts() {
    write("one", "searches");
    write("two", "searches");
    write("three", "prices");
    assertThat(unread("total")).isEqualTo(3);
    String first = TORG.get(recipient, BELL).ok().texts("notifications", "id").getLast();
    HttpReply remaining =
        TORG.post(recipient, BELL + ":markRead", list("ids", List.of(first))).ok();
    assertThat(remaining.body().path("total").asInt()).isEqualTo(2);
    assertThat(remaining.body().at("/byTopic/searches").asInt()).isEqualTo(1);
    TORG.post(recipient, BELL + ":markRead", list("ids", List.of(first))).ok();
    assertThat(unread("total")).isEqualTo(2);
    TORG.post(recipient, BELL + ":markRead", "{\"topic\":\"prices\"}").ok();
    assertThat(unread("total")).isEqualTo(1);
    TORG.post(recipient, BELL + ":markRead", "{\"all\":true}").ok();
    assertThat(unread("total")).isZero();
    assertThat(TORG.get(recipient, BELL + "?unreadOnly=true").body().path("notifications"))
        .isEmpty();
  }

  @Test
  void markRead_badInput_isRefused() {
    TORG.post(recipient, BELL + ":markRead", "{}").invalid("ids");
    TORG.post(recipient, BELL + ":markRead", "{\"all\":true,\"topic\":\"prices\"}").invalid("ids");
    TORG.post(recipient, BELL + ":markRead", list("ids", List.of("lamp"))).invalid("ids");
    TORG.post(recipient, BELL + ":markRead", list("ids", Collections.nCopies(501, "1")))
        .invalid("ids");
    TORG.post(recipient, BELL + ":markRead", "{\"topic\":\"lamps\"}").invalid("topic");
    TORG.post(unauthenticated(), BELL + ":markRead", "{\"all\":true}").failed(401, "token.missing");
  }

  @Test
  void settings_put_areReadBack() {
    assertThat(TORG.get(recipient, SETTINGS).ok().body().path("digestHour").asInt()).isEqualTo(9);
    String settings =
        """
        {"topics":{"searches":{"muted":true,"channels":{"PUSH":{"limit":{"count":3,"per":"DAY"}}}}},
         "quietHours":{"from":"22:00","to":"07:30"},"timezone":"Europe/Berlin","digestHour":0,"language":"ru"}
        """;
    HttpReply put = TORG.put(recipient, SETTINGS, settings).ok();
    assertThat(TORG.get(recipient, SETTINGS).ok().body()).isEqualTo(put.body());
    assertThat(put.body().path("digestHour").asInt()).isZero();
    assertThat(put.body().at("/topics/searches/muted").asBoolean()).isTrue();
  }

  /// A client sends back what it read: the timezone stays unset.
  @Test
  void settings_putAsRead_timezoneStaysUnset() {
    HttpReply read = TORG.get(recipient, SETTINGS).ok();
    assertThat(read.text("timezone")).isEmpty();
    assertThat(read.text("effectiveTimezone")).isEqualTo("UTC");
    TORG.put(recipient, SETTINGS, read.body().toString()).ok();
    TORG.put(recipient, SETTINGS, "{\"effectiveTimezone\":\"Mars\"}").ok();
    assertThat(TORG.get(recipient, SETTINGS).ok().body()).isEqualTo(read.body());
    HttpReply own = TORG.put(recipient, SETTINGS, "{\"timezone\":\"Asia/Tokyo\"}").ok();
    assertThat(own.text("effectiveTimezone")).isEqualTo("Asia/Tokyo");
  }

  @Test
  void settings_ofChannels_areInvalidWhereTheyCannotApply() {
    String settings =
        """
        {"topics":{"payments":{"channels":{"EMAIL":{"muted":true}}},"news":{"channels":{"pigeon":{}}}},
         "allTopics":{"channels":{"push":{}}}}
        """;
    TORG.put(recipient, SETTINGS, settings)
        .invalid("topics.payments.channels.EMAIL")
        .invalid("topics.news.channels.pigeon")
        .invalid("allTopics.channels.push");
  }

  @Test
  void settings_badInput_namesEveryField() {
    String settings =
        """
        {"topics":{"lamps":{},"account":{"muted":true}},"quietHours":{"from":"7","to":"25:00"},
         "timezone":"Berlin","digestHour":24,"language":"de"}
        """;
    TORG.put(recipient, SETTINGS, settings)
        .invalid("topics.lamps")
        .invalid("topics.account.muted")
        .invalid("quietHours.from")
        .invalid("quietHours.to")
        .invalid("timezone")
        .invalid("digestHour")
        .invalid("language");
    TORG.put(recipient, SETTINGS, "{\"lamp\":1}").invalid("lamp");
    TORG.put(unauthenticated(), SETTINGS, "{}").failed(401, "token.missing");
  }

  @Test
  void topics_withoutToken_areListed() {
    HttpReply topics = TORG.get(unauthenticated(), "/v1/notifications/topics").ok();
    assertThat(topics.texts("topics", "id")).contains("searches", "prices", "account");
    for (JsonNode topic : topics.body().path("topics")) {
      boolean exempt = Set.of("account", "payments").contains(topic.path("id").asText());
      assertThat(topic.path("exempt").asBoolean()).isEqualTo(exempt);
    }
  }

  @Test
  void topics_names_areInTheLanguageOfTheSettingsElseOfTheHeader() {
    assertThat(nameOfNews(unauthenticated(), "")).isEqualTo("News");
    assertThat(nameOfNews(unauthenticated(), "ru-RU,ru;q=0.9,en;q=0.5")).isEqualTo("Новости");
    assertThat(nameOfNews(recipient, "ru")).isEqualTo("Новости");
    TORG.put(recipient, SETTINGS, "{\"language\":\"en\"}").ok();
    assertThat(nameOfNews(recipient, "ru")).isEqualTo("News");
    TORG.put(recipient, SETTINGS, "{\"language\":\"ru\"}").ok();
    assertThat(nameOfNews(recipient, "en")).isEqualTo("Новости");
  }

  private static String nameOfNews(TestUser caller, String acceptLanguage) {
    Map<String, String> headers =
        acceptLanguage.isEmpty() ? Map.of() : Map.of("Accept-Language", acceptLanguage);
    HttpReply topics = TORG.send(caller, "GET", BELL + "/topics", "", headers).ok();
    int news = topics.texts("topics", "id").indexOf("news");
    return topics.texts("topics", "name").get(news);
  }

  @Test
  void stream_entryWrittenByAnotherProcess_arrivesAndResumes() throws Exception {
    String last;
    try (Events events = open(recipient, null)) {
      assertThat(events.next().get("event")).isEqualTo("unread");
      write("one", "searches");
      Map<String, String> entry = events.next();
      assertThat(entry).containsEntry("event", "notification");
      assertThat(TestTorg.JSON.readTree(entry.get("data")).path("title").asText()).isEqualTo("one");
      Map<String, String> unread = events.next();
      assertThat(TestTorg.JSON.readTree(unread.get("data")).path("total").asInt()).isEqualTo(1);
      last = entry.get("id");
    }
    write("two", "searches");
    write("three", "prices");
    try (Events events = open(recipient, last)) {
      assertThat(List.of(title(events.next()), title(events.next())))
          .containsExactly("two", "three");
    }
  }

  @Test
  void stream_noEventReceivedYet_resumesFromTheCounts() throws Exception {
    String last;
    try (Events events = open(recipient, null)) {
      last = events.next().get("id");
    }
    write("meanwhile", "searches");
    try (Events events = open(recipient, last)) {
      assertThat(title(events.next())).isEqualTo("meanwhile");
    }
  }

  @Test
  void stream_markedRead_sendsTheNewCounts() throws Exception {
    write("one", "searches");
    try (Events events = open(recipient, null)) {
      assertThat(TestTorg.JSON.readTree(events.next().get("data")).path("total").asInt())
          .isEqualTo(1);
      TORG.post(recipient, BELL + ":markRead", "{\"all\":true}").ok();
      assertThat(TestTorg.JSON.readTree(events.next().get("data")).path("total").asInt()).isZero();
    }
  }

  @Test
  void stream_manyEntries_arriveInOrderWithoutLoss() throws Exception {
    List<String> titles = new ArrayList<>();
    try (Events events = open(recipient, null)) {
      for (int i = 0; i < 150; i++) {
        titles.add("entry " + i);
        write("entry " + i, "searches");
      }
      List<String> received = new ArrayList<>();
      while (received.size() < titles.size()) {
        Map<String, String> event = events.next();
        if ("notification".equals(event.get("event"))) {
          received.add(title(event));
        }
      }
      assertThat(received).isEqualTo(titles);
    }
  }

  @Test
  void stream_badCall_isAProblem() throws Exception {
    TORG.get(unauthenticated(), STREAM).failed(401, "token.missing");
    TORG.send(recipient, "GET", STREAM, "", Map.of("Last-Event-ID", "lamp"))
        .invalid("Last-Event-ID");
    List<Events> open = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        open.add(open(recipient, null));
      }
      TORG.get(recipient, STREAM).failed(429, "stream.too-many");
    } finally {
      open.forEach(Events::close);
    }
    TestTorg.await("a closed stream frees its slot", () -> isOpen(recipient));
  }

  @Test
  void openApi_listsTheStreamAndTheModules() {
    var paths = TORG.get(unauthenticated(), "/openapi.json").ok().body().path("paths");
    assertThat(
            paths
                .at("/~1v1~1notifications~1stream/get/responses/200/content")
                .has("text/event-stream"))
        .isTrue();
    assertThat(paths.has("/v1/favorites")).isTrue();
    assertThat(paths.has("/v1/blocks/{seller}")).isTrue();
  }

  private void write(String title, String topic) {
    Notification content = Notification.newBuilder().setTitle(title).build();
    NewNotification entry =
        new NewNotification(recipient.subject(), title, topic, Instant.now(), null, content);
    database.inTransaction(tx -> bell.write(tx, List.of(entry)));
  }

  private int unread(String field) {
    return TORG.get(recipient, BELL + "/unreadCount").ok().body().path(field).asInt();
  }

  private static String title(Map<String, String> event) throws IOException {
    assertThat(event).containsEntry("event", "notification");
    return TestTorg.JSON.readTree(event.get("data")).path("title").asText();
  }

  private static boolean isOpen(TestUser recipient) {
    try (Events events = open(recipient, null)) {
      return events.response.statusCode() == 200;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static Events open(TestUser recipient, @Nullable String lastEventId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(TORG.uri(STREAM))
            .header("Authorization", "Bearer " + recipient.token());
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    return new Events(TORG.client().send(request.build(), BodyHandlers.ofInputStream()));
  }

  /// A client that reads events as they arrive.
  static final class Events implements AutoCloseable {
    private final HttpResponse<java.io.InputStream> response;
    private final BufferedReader lines;

    Events(HttpResponse<java.io.InputStream> response) {
      this.response = response;
      this.lines =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /// The fields of the next event; comments are skipped. Empty at the end.
    Map<String, String> next() throws IOException {
      Map<String, String> event = new HashMap<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int colon = line.indexOf(':');
        if (line.isEmpty() && !event.isEmpty()) {
          return event;
        }
        if (colon > 0) {
          event.put(line.substring(0, colon), line.substring(colon + 1).stripLeading());
        }
      }
      return event;
    }

    @Override
    public void close() {
      try {
        response.body().close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
