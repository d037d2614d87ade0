package dev.torg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.bench.process.TorgProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The program as a newcomer meets it: a real process, real commands.
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
  void status_ofARunningTorg_saysWhereItIs() {
    Run status = run("status", "--data", data());
    assertThat(status.exit()).isZero();
    assertThat(status.out()).contains(torg.address()).contains("ready");
  }

  @Test
  void up_onAHeldDirectory_saysWhoHoldsIt() {
    Run second = run("up", "--data", data(), "--port", "0");
    assertThat(second.exit()).isEqualTo(1);
    assertThat(second.err()).contains("held by process " + torg.pid()).contains(torg.address());
  }

  @Test
  void up_unknownOptionOrBadValue_namesTheKey() {
    assertThat(run("up", "--prot", "1").err()).contains("--prot");
    Run bad = run("up", "--port", "many", "--data", directory.resolve("other").toString());
    assertThat(bad.exit()).isEqualTo(1);
    assertThat(bad.err()).startsWith("torg: port must be a number");
  }

  @Test
  void token_forAModerator_isAcceptedByTheServer() {
    String token =
        run("token", "--subject", "user:7", "--role", "moderator", "--data", data()).out().strip();
    try (ApiClient anybody = new ApiClient(torg.address())) {
      JsonNode who = anybody.with(token).get("/v1/whoami");
      assertThat(who.path("subject").asText()).isEqualTo("user:7");
      assertThat(who.path("roles").toString()).contains("moderator");
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
    try (ApiClient anybody = new ApiClient(torg.address())) {
      JsonNode counts = anybody.loggedInAs("imp").get("/v1/sellers/me/presets").path("counts");
      assertThat(counts.path("ALL").asInt()).isEqualTo(2);
    }
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
  void demo_showsTheWay() {
    Run demo = run("demo", "--data", data());
    assertThat(demo.exit()).as(demo.err()).isZero();
    assertThat(demo.out()).contains("published").contains("priceHistory");
  }

  @Test
  void parkedList_nothingParked_saysSo() {
    assertThat(run("parked", "list", "--data", data()).out()).contains("nothing is parked");
  }

  @Test
  void verifyCrash_quick_findsNoViolation() {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(capture);
      assertThat(run("verify", "crash", "--quick", "--json").exit()).isZero();
    } finally {
      System.setOut(console);
    }
    JsonNode report = ApiClient.parse(printed.toString(StandardCharsets.UTF_8));
    assertThat(report.path("results").path("acknowledgedWrites").asLong()).isPositive();
    report.path("targets").forEach(target -> assertThat(target.path("met").asBoolean()).isTrue());
  }
}
