package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The interactive documentation in a real browser. A missing browser fails the test.
class DocsPageIT {
  /// Time as the page sees it: enough to load the description and draw.
  private static final String PAGE_MILLIS = "5000";

  @TempDir(cleanup = CleanupMode.ALWAYS)
  Path directory;

  @Test
  void docs_inABrowser_showTheOfferService() throws Exception {
    try (RunningServer torg = new RunningServer()) {
      assertThat(torg.get("/docs").status()).isEqualTo(307);
      String page = render(torg.server.uri() + "/docs/");
      assertThat(page).contains("OfferService").contains("PublishOffer()");
    }
  }

  @Test
  void openApi_isServed() {
    try (RunningServer torg = new RunningServer()) {
      assertThat(torg.get("/openapi.json").json().at("/paths/~1v1~1offers~1{id}/get").isObject())
          .isTrue();
      assertThat(torg.get("/openapi.json").json().at("/paths/~1health~1ready/get").isObject())
          .isTrue();
    }
  }

  private String render(String address) throws IOException, InterruptedException {
    Path page = directory.resolve("page.html");
    Process browser =
        new ProcessBuilder(
                browser(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                // Requests go to this server only: the page's fonts are hosted elsewhere.
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                "--user-data-dir=" + directory.resolve("profile"),
                "--virtual-time-budget=" + PAGE_MILLIS,
                "--dump-dom",
                address)
            .redirectOutput(page.toFile())
            .redirectError(directory.resolve("browser.log").toFile())
            .start();
    try {
      assertThat(browser.waitFor(90, TimeUnit.SECONDS)).as("the browser ends").isTrue();
      return Files.readString(page);
    } finally {
      browser.descendants().forEach(ProcessHandle::destroyForcibly);
      browser.destroyForcibly().waitFor();
    }
  }

  private static String browser() {
    List<String> names = List.of("chromium", "chromium-browser", "google-chrome");
    Optional<Path> browser =
        Stream.of(System.getenv("PATH").split(":"))
            .flatMap(folder -> names.stream().map(name -> Path.of(folder, name)))
            .filter(Files::isExecutable)
            .findFirst();
    return browser
        .orElseThrow(() -> new AssertionError("no browser: install Debian's package chromium"))
        .toString();
  }
}
