package dev.torg.notifications.campaign;

import static org.awaitility.Awaitility.await;

import dev.torg.api.v1.Audience;
import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.NotificationContent;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.api.v1.RecipientUpload;
import dev.torg.api.v1.SearchQuery;
import dev.torg.notifications.AudienceCriterion;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.bell.BellChanges;
import dev.torg.notifications.bell.StoredBell;
import dev.torg.notifications.settings.StoredRecipientSettings;
import dev.torg.notifications.settings.TestSettings;
import dev.torg.notifications.wiring.CampaignsWiring;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.lease.LeaseCoordinator;
import dev.torg.platform.module.ModuleContext;
import dev.torg.platform.outbox.Outbox;
import dev.torg.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Campaigns on a real database, whose jobs run in this process once they are started.
final class CampaignFixture implements AutoCloseable {
  static final String SENDER = "service:marketing";
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  final Database database;
  final CampaignsWiring wiring;
  final Campaigns campaigns;
  final AtomicBoolean allowsBulk = new AtomicBoolean(true);
  private final LeaseCoordinator leases;
  private final JobScheduler jobs;

  CampaignFixture(String url, InstantSource clock) {
    this(url, clock, new PagedSellers(List.of()));
  }

  CampaignFixture(String url, InstantSource clock, AudienceCriterion criterion) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    database = Database.connect(url, 12);
    leases = new LeaseCoordinator(database);
    jobs = new JobScheduler(leases, clock);
    StoredRecipientSettings settings = TestSettings.stored();
    wiring =
        new CampaignsWiring(
            new ModuleContext(database, new Outbox(), clock, registry),
            new CampaignParts.Dependencies(
                new StoredBell(clock, new BellChanges(List.of()), registry),
                settings,
                CampaignFixture::rendered,
                criterion,
                new StoredCampaignProgress(),
                ZoneOffset.UTC,
                allowsBulk::get));
    campaigns = wiring.campaigns();
  }

  static TestDatabase tables() {
    return TestDatabase.fresh(
        "notifications",
        url -> Migrations.of("platform", NotificationsWiring.MIGRATIONS).migrate(url));
  }

  private static NotificationTemplate rendered(CreateCampaignRequest request) {
    return request.hasTemplate()
        ? NotificationTemplate.newBuilder()
            .putLanguages("en", content("Hello"))
            .putLanguages("ru", content("Привет"))
            .build()
        : NotificationTemplate.newBuilder()
            .putLanguages(CampaignContents.ANY_LANGUAGE, request.getContent())
            .build();
  }

  private static NotificationContent content(String title) {
    return NotificationContent.newBuilder().setTitle(title).build();
  }

  /// Starts the jobs.
  void start() {
    wiring.schedule(jobs);
  }

  /// To an audience that is uploaded.
  static CreateCampaignRequest.Builder request(String id) {
    return CreateCampaignRequest.newBuilder()
        .setId(id)
        .setTopic(NotificationTopics.NEWS)
        .setContent(content("News"))
        .setAudience(Audience.newBuilder().setUpload(RecipientUpload.getDefaultInstance()));
  }

  static CreateCampaignRequest.Builder request(String id, List<String> recipients) {
    return request(id)
        .setAudience(
            Audience.newBuilder()
                .setUpload(RecipientUpload.newBuilder().addAllRecipients(recipients)));
  }

  static CreateCampaignRequest.Builder criterion(String id) {
    return request(id)
        .setAudience(
            Audience.newBuilder().setSellersWith(SearchQuery.newBuilder().setCategory("cars")));
  }

  /// Users of this campaign only.
  static List<String> users(String campaign, int count) {
    return IntStream.range(0, count).mapToObj(i -> "user:" + campaign + "-" + i).toList();
  }

  static InputStream lines(List<String> recipients) {
    String text = recipients.stream().map(r -> '"' + r + "\"\n").collect(Collectors.joining());
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  Campaign find(String id) {
    return campaigns.find(SENDER, id);
  }

  Campaign awaitStatus(String id, Campaign.Status status) {
    await().atMost(TIMEOUT).until(() -> find(id).getStatus() == status);
    return find(id);
  }

  Campaign awaitWritten(String id, long recipients) {
    await().atMost(TIMEOUT).until(() -> find(id).getProgress().getWritten() >= recipients);
    return find(id);
  }

  /// Entries of the campaign.
  long entries(String id) {
    return count("SELECT count(*) FROM notification WHERE key = ?", id);
  }

  /// Recipients with more than one entry of the campaign, or whose unread count is not that of their entries.
  long inexact(String id) {
    return count(
        """
        SELECT count(*) FROM (
          SELECT n.home, n.owner FROM notification n WHERE n.key = ?
           GROUP BY n.home, n.owner
          HAVING count(*) <> 1
              OR (SELECT coalesce(sum(u.count), 0) FROM unread u
                   WHERE u.home = n.home AND u.owner = n.owner)
                 <> (SELECT count(*) FROM notification m
                      WHERE m.home = n.home AND m.owner = n.owner AND NOT m.read)) AS inexact
        """,
        id);
  }

  private long count(String sql, String id) {
    return database
        .read(
            tx ->
                tx.sql(sql)
                    .set(CampaignMessage.entryKey(new CampaignKey(SENDER, id)))
                    .first(row -> row.longAt(1)))
        .orElse(0L);
  }

  Set<String> recipientsOf(String id) {
    return Set.copyOf(
        database.read(
            tx ->
                tx.sql("SELECT owner FROM notification WHERE key = ?")
                    .set(CampaignMessage.entryKey(new CampaignKey(SENDER, id)))
                    .list(row -> row.textAt(1))));
  }

  @Override
  public void close() {
    leases.close();
    database.close();
  }

  /// Sellers in pages of two per home, each page twice overlapping.
  record PagedSellers(List<String> sellers) implements AudienceCriterion {
    private static final int PAGE_SIZE = 2;

    @Override
    public void check(SearchQuery query) {}

    @Override
    public Page sellersWith(SearchQuery query, Home home, String cursor) {
      List<String> here = sellers.stream().filter(s -> Home.of(s).equals(home)).sorted().toList();
      int from = cursor.isEmpty() ? 0 : Integer.parseInt(cursor);
      int to = Math.min(here.size(), from + PAGE_SIZE);
      return new Page(
          Set.copyOf(here.subList(Math.max(0, from - 1), to)),
          Integer.toString(to),
          to == here.size());
    }
  }
}
