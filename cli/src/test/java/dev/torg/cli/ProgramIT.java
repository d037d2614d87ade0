package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jwt.SignedJWT;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TorgProcess;
import dev.torg.offers.OfferTopics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.text.ParseException;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The program as a new user runs it: a real process, real commands.
class ProgramIT {
  @TempDir static Path directory;

  private static TorgProcess torg;

  @BeforeAll
  static void up() {
    torg = TorgProcess.up(directory.resolve("data"), List.of());
  }

  @AfterAll
  static void down() {
    torg.close();
  }

  private record Run(int exit, String out, String err) {}

  private static Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return new Run(line.execute(arguments), out.toString(), err.toString());
  }

  private static String data() {
    return torg.data().toString();
  }

  @Test
  void status_ofARunningTorg_reportsWhereItIs() {
    Run status = run("status", "--data", data());
    assertThat(status.exit()).isZero();
    assertThat(status.out()).contains(torg.address()).contains("ready");
  }

  @Test
  void up_outputAndNote_holdNoPassword() throws IOException {
    String database = torg.running().database();
    String password = database.substring(database.indexOf("password=") + "password=".length());
    assertThat(password).hasSizeGreaterThan(32);
    Path output = torg.data().resolveSibling("data.log");
    assertThat(Files.readString(output))
        .contains("postgresql://torg@127.0.0.1:")
        .doesNotContain(password)
        .doesNotContain(kafkaPassword());
    assertThat(Files.readString(torg.data().resolve("running"))).doesNotContain("password");
    assertThat(run("status", "--data", data()).out()).doesNotContain(password);
  }

  @Test
  void up_output_isForANewcomer_andTheLogIsAFile() throws IOException {
    String output = Files.readString(torg.data().resolveSibling("data.log"));
    Path log = torg.data().resolve("logs/torg.log");
    assertThat(output)
        .startsWith("starting PostgreSQL and Kafka ...")
        .contains("Torg is up at " + torg.address())
        .contains(log.toString())
        .doesNotContainPattern("(?m)^[0-9:.]+ +(INFO|WARN)");
    assertThat(Files.readString(log)).contains("armeria");
  }

  private static String kafkaPassword() {
    String module = torg.kafka().settings().get("sasl.jaas.config");
    return module.replaceAll(".*password=\"([^\"]*)\".*", "$1");
  }

  @Test
  void up_data_isOpenToItsUserOnly() throws IOException {
    for (String name : List.of("", "postgres", "postgres/data", "kafka", "logs")) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(torg.data().resolve(name))))
          .as(name)
          .isEqualTo("rwx------");
    }
    for (String name :
        List.of("running", "keys.json", "postgres/pgpass", "kafka/client.properties")) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(torg.data().resolve(name))))
          .as(name)
          .isEqualTo("rw-------");
    }
  }

  @Test
  void up_onAHeldDirectory_reportsItsOwner() {
    Run second = run("up", "--data", data(), "--port", "0");
    assertThat(second.exit()).isEqualTo(1);
    assertThat(second.err()).contains("held by process " + torg.pid()).contains(torg.address());
  }

  @Test
  void up_unknownOptionOrBadValue_namesTheKey() {
    assertThat(run("up", "--prot", "1").err()).contains("--prot");
    Run invalid = run("up", "--port", "many", "--data", directory.resolve("other").toString());
    assertThat(invalid.exit()).isEqualTo(1);
    assertThat(invalid.err()).startsWith("torg: port must be a number");
  }

  @Test
  void up_databaseOutOfReach_isOneSentence() {
    Run refused =
        run(
            "up",
            "--db",
            "jdbc:postgresql://127.0.0.1:1/none",
            "--kafka",
            "127.0.0.1:1",
            "--data",
            directory.resolve("far").toString(),
            "--port",
            "0");
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err())
        .contains("torg: cannot connect to the database")
        .doesNotContain("\tat ");
  }

  @Test
  void up_databasePortInUse_isOneSentence() throws IOException {
    try (ServerSocket occupied = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = "" + occupied.getLocalPort();
      String data = directory.resolve("taken").toString();
      Run refused = run("up", "--db-port", port, "--data", data, "--port", "0");
      assertThat(refused.exit()).isEqualTo(1);
      assertThat(refused.err()).contains("port " + port + " is taken").doesNotContain("\tat ");
    }
  }

  @Test
  void serve_withoutAnExternalDatabase_isRefused() {
    Run refused = run("serve", "--data", directory.resolve("alone").toString(), "--port", "0");
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).startsWith("torg: db must be given");
  }

  @Test
  void token_forAModerator_isAcceptedByTheServer() {
    String token =
        run("token", "--subject", "user:7", "--role", "moderator", "--data", data()).out().strip();
    try (ApiClient anonymous = new ApiClient(torg.address())) {
      JsonNode identity = anonymous.with(token).get("/v1/whoami");
      assertThat(identity.path("subject").asText()).isEqualTo("user:7");
      assertThat(identity.path("roles").toString()).contains("moderator");
    }
  }

  @Test
  void importOffers_runTwice_publishesOnce() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("offers.ndjson"),
            """
            {"category":"electronics","title":"A radio"}
            {"category":"electronics","title":"A second radio"}
            """);
    assertThat(run("import", "offers", file.toString(), "--seller", "imp", "--data", data()).out())
        .contains("2 published, 0 refused");
    run("import", "offers", file.toString(), "--seller", "imp", "--data", data());
    try (ApiClient anonymous = new ApiClient(torg.address())) {
      JsonNode counts = anonymous.loggedInAs("imp").get("/v1/sellers/me/presets").path("counts");
      assertThat(counts.path("ALL").asInt()).isEqualTo(2);
    }
  }

  @Test
  void importOffers_silent_keepsTimesAndNeedsAService() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("old.ndjson"),
            """
            {"category":"electronics","title":"An old radio","createdAt":"2019-02-03T04:05:06Z"}
            """);
    Run without = run("import", "offers", file.toString(), "--silent", "--data", data());
    assertThat(without.exit()).isEqualTo(2);
    assertThat(without.err()).contains("--token");
    String token =
        run("token", "--subject", "service:import", "--role", "service", "--data", data())
            .out()
            .strip();
    Run silent =
        run(
            "import",
            "offers",
            file.toString(),
            "--silent",
            "--token",
            token,
            "--seller",
            "old",
            "--data",
            data());
    assertThat(silent.out()).contains("1 published, 0 refused");
    try (ApiClient anonymous = new ApiClient(torg.address())) {
      JsonNode offer = anonymous.get("/v1/sellers/user:old/offers").at("/offers/0");
      assertThat(offer.path("createdAt").asText()).isEqualTo("2019-02-03T04:05:06Z");
      assertThat(offer.has("activatedAt")).isFalse();
    }
  }

  @Test
  void importFeed_ofAFile_reportsTheOutcome() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("feed.csv"),
            """
            externalId,category,title
            1,electronics,A lamp
            2,electronics,A second lamp
            3,nowhere,A lost lamp
            """);
    Run feed = run("import", "feed", file.toString(), "--seller", "fed", "--data", data());
    assertThat(feed.exit()).isEqualTo(1);
    assertThat(feed.out()).contains("FINISHED: 2 created, 0 updated").contains("1 failed");
    assertThat(feed.err()).contains("100 %").contains("line 4: 3 offer.invalid");
    Run repeated =
        run(
            "import",
            "feed",
            file.toString(),
            "--seller",
            "fed",
            "--url",
            torg.address(),
            "--task-id",
            "1",
            "--data",
            data());
    assertThat(repeated.exit()).isEqualTo(1);
    assertThat(repeated.err()).contains("take a higher number");
  }

  @Test
  void importOffers_badLine_isNamedAndOthersArePublished() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("bad.ndjson"),
            """
            {"category":"electronics","title":"A clock"}
            {"category":"nowhere","title":"A clock"}
            not json
            """);
    Run imported = run("import", "offers", file.toString(), "--seller", "bad", "--data", data());
    assertThat(imported.exit()).isEqualTo(1);
    assertThat(imported.out()).contains("1 published, 2 refused");
    assertThat(imported.err()).contains("line 2").contains("line 3");
  }

  @Test
  void demo_printsEachStep() {
    Run demo = run("demo", "--data", data());
    assertThat(demo.exit()).as(demo.err()).isZero();
    assertThat(demo.out()).contains("published").contains("priceHistory");
  }

  @Test
  void token_directoryWithoutTorg_isRefusedAndLeftAlone() {
    Path mistyped = directory.resolve("dta");
    Run refused = run("token", "--subject", "user:7", "--data", mistyped.toString());
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("there is no Torg in " + mistyped);
    assertThat(mistyped).doesNotExist();
  }

  @Test
  void token_badRole_reportsWhichField() {
    Run refused = run("token", "--subject", "nobody", "--role", "user", "--data", data());
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err().lines().toList())
        .hasSize(2)
        .last(InstanceOfAssertFactories.STRING)
        .startsWith("  subject ");
  }

  @Test
  void keysRotate_runningServer_signsWithTheNewKeyAndAcceptsBoth() throws Exception {
    try (ApiClient anonymous = new ApiClient(torg.address())) {
      String before = anonymous.token("rotated");
      Run rotated = run("keys", "rotate", "--data", data());
      assertThat(rotated.exit()).as(rotated.err()).isZero();
      assertThat(rotated.out()).contains("1 older verify");
      String after = anonymous.token("rotated");
      assertThat(keyOf(after)).isNotEqualTo(keyOf(before));
      String operators =
          run("token", "--subject", "user:8", "--keys", data() + "/keys.json").out().strip();
      assertThat(keyOf(operators)).isEqualTo(keyOf(after));
      for (String token : List.of(before, after, operators)) {
        assertThat(anonymous.with(token).get("/v1/whoami").path("subject").asText())
            .startsWith("user:");
      }
    }
  }

  private static String keyOf(String token) throws ParseException {
    return SignedJWT.parse(token).getHeader().getKeyID();
  }

  @Test
  void blocked_keyThatKafkaRefuses_isListedAndRetried() throws Exception {
    assertThat(run("blocked", "list", "--data", data()).out()).contains("nothing is blocked");
    try (Connection connection = DriverManager.getConnection("jdbc:" + torg.running().database());
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO outbox_blocked
            (home, homes_group, topic, key, reason, attempts, blocked_at, retry_at)
          VALUES (3, 3, 'torg.nowhere', 'k', 'there is no topic', 4, now(), now() + interval '1 h')
          """);
      Run list = run("blocked", "list", "--data", data());
      assertThat(list.out())
          .contains("torg.nowhere  key k  after 4 attempts")
          .contains("1 blocked");
      assertThat(run("blocked", "retry", "--topic", OfferTopics.OFFERS, "--data", data()).out())
          .contains("0 will be tried again");
      assertThat(run("blocked", "retry", "--data", data()).out()).contains("1 will be tried again");
      try (ResultSet due =
          statement.executeQuery("SELECT 1 FROM outbox_blocked WHERE retry_at <= now()")) {
        assertThat(due.next()).isTrue();
      }
      statement.execute("DELETE FROM outbox_blocked");
    }
  }

  @Test
  void parkedList_nothingParked_reportsIt() {
    assertThat(run("parked", "list", "--data", data()).out()).contains("nothing is parked");
  }

  @Test
  void verifyCrash_quick_findsNoViolation() {
    JsonNode report = verify("crash");
    assertThat(report.path("results").path("acknowledgedWrites").asLong()).isPositive();
  }

  @Test
  void verifyDelivery_quick_findsNoViolation() {
    JsonNode report = verify("delivery");
    assertThat(report.path("results").path("kills").asInt()).isEqualTo(3);
    assertThat(report.path("results").path("pushesRefused").asLong()).isPositive();
  }

  @Test
  void verifyMoney_quick_findsNoViolation() {
    JsonNode report = verify("money");
    assertThat(report.path("results").path("kills").asInt()).isPositive();
    assertThat(report.path("results").path("payments").has("PROMOTION APPLIED")).isTrue();
    assertThat(report.path("results").path("payments").has("PROMOTION REFUNDED")).isTrue();
    assertThat(report.path("results").path("payments").has("TOP_UP APPLIED")).isTrue();
  }

  @Test
  void verifyAbuse_quick_findsNoViolation() {
    JsonNode report = verify("abuse");
    assertThat(report.path("results").size()).isPositive();
  }

  @Test
  void benchPromotions_smallSizes_measuresEverything() {
    JsonNode results =
        report(
                "bench promotions --quick --seconds 1 --warm-seconds 0 --payments 300 --expiries 2000"
                    + " --json")
            .path("results");
    assertThat(results.path("failures").asInt()).isZero();
    assertThat(results.path("webhooksAppliedPerSecond").asDouble()).isPositive();
    assertThat(results.path("expiriesPerSecond").asDouble()).isPositive();
  }

  private static JsonNode verify(String name) {
    JsonNode report = report("verify " + name + " --quick --json");
    report.path("targets").forEach(target -> assertThat(target.path("met").asBoolean()).isTrue());
    return report;
  }

  private static JsonNode report(String command) {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(capture);
      Run run = run(command.split(" ", -1));
      assertThat(run.exit()).as("%s%n%s", withoutFrames(run.err()), printed).isZero();
    } finally {
      System.setOut(console);
    }
    return ApiClient.parse(printed.toString(StandardCharsets.UTF_8));
  }

  /// The message of a failure without its stack trace.
  private static String withoutFrames(String trace) {
    return trace
        .lines()
        .filter(line -> !line.startsWith("\tat "))
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
