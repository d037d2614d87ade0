package dev.torg.photos.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.photos.FetchLimits;
import dev.torg.photos.InvalidPhotoException;
import dev.torg.photos.PhotoLane;
import dev.torg.platform.net.HostResolver;
import dev.torg.testkit.TestSite;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchPhotoTest {
  private static final byte[] PHOTO = {1, 2, 3, 4, 5};
  private static final FetchLimits LIMITS =
      new FetchLimits(
          100_000,
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          3,
          2,
          4,
          Duration.ofMillis(100));

  private final TestSite site = new TestSite();

  /// The operator trusts three names of this machine; `evil.example` resolves to it, too.
  private final FetchPhoto fetch =
      new FetchPhoto(
          LIMITS, this::resolve, Set.of("Pictures.Intern", "albums.intern", "prints.intern"));

  @TempDir Path directory;

  private List<InetAddress> resolve(String host) throws UnknownHostException {
    return switch (host) {
      case "pictures.intern", "albums.intern", "prints.intern", "evil.example" ->
          List.of(InetAddress.getLoopbackAddress());
      case "half.example" ->
          List.of(InetAddress.getByName("93.184.216.34"), InetAddress.getByName("10.0.0.1"));
      case "gone.example" -> throw new UnknownHostException(host);
      default -> List.of(InetAddress.getByName(host));
    };
  }

  @AfterEach
  void close() throws IOException {
    fetch.close();
    site.close();
  }

  @Test
  void fetch_trustedHost_isFetchedWhereverItIs() throws Exception {
    site.put("/photo", PHOTO);
    assertThat(fetched(trusted("/photo"))).isEqualTo(PHOTO);
    assertThat(site.requested()).containsExactly("pictures.intern:" + site.port() + "/photo");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost",
        "0.0.0.0",
        "10.1.2.3",
        "172.20.0.1",
        "192.168.0.1",
        "100.64.1.1",
        "169.254.169.254",
        "[::1]",
        "[fe80::1]",
        "[fd00::1]",
        "[::ffff:127.0.0.1]",
        "[::]",
        "2130706433",
        "127.1",
        "0x7f.1",
        "0177.0.0.1",
        "evil.example",
        "EVIL.example",
        "half.example"
      })
  void fetch_privateAddress_isRefusedWithoutRequest(String host) {
    site.put("/photo", PHOTO);
    assertThatThrownBy(() -> fetched(site.at(host, "/photo")))
        .isInstanceOfAny(InvalidPhotoException.class, HostUnreachableException.class)
        .satisfies(
            e -> {
              if (e instanceof InvalidPhotoException invalid) {
                assertThat(invalid.reason()).isIn("refused", "bad-address");
              }
            });
    assertThat(site.requested()).isEmpty();
  }

  /// The unneeded rest of the body must not be read either.
  @ParameterizedTest
  @ValueSource(strings = {"200 OK", "302 Found\r\nLocation: /elsewhere", "404 Not Found"})
  void fetch_endlessBody_isAborted(String status) throws Exception {
    try (EndlessSite endless = new EndlessSite(status)) {
      assertThatThrownBy(() -> fetched("http://pictures.intern:%d/photo".formatted(endless.port())))
          .isInstanceOf(Exception.class);
      assertThat(endless.sent()).isLessThan(30L << 20);
    }
  }

  @Test
  void fetch_redirectToPrivateAddress_isRefusedWithoutRequest() {
    site.put("/secret", PHOTO);
    for (String host : List.of("127.0.0.1", "evil.example", "[::ffff:127.0.0.1]")) {
      site.redirect("/go", site.at(host, "/secret"));
      assertBad(trusted("/go"), "refused");
    }
    site.redirect("/go", "file:///etc/passwd");
    assertBad(trusted("/go"), "bad-address");
    assertThat(site.requested()).allMatch(requested -> requested.endsWith("/go"));
  }

  @Test
  void fetch_redirectOnATrustedHost_isFollowedThreeTimes() throws Exception {
    site.put("/3", PHOTO);
    site.redirect("/2", "/3");
    site.redirect("/1", "2");
    site.redirect("/0", trusted("/1"));
    assertThat(fetched(trusted("/0"))).isEqualTo(PHOTO);
    site.redirect("/more", "/0");
    assertBad(trusted("/more"), "redirects");
  }

  /// The connection uses the checked address: a second resolution would return this machine.
  @Test
  void fetch_changingName_isResolvedOnce() throws Exception {
    AtomicInteger polls = new AtomicInteger();
    HostResolver rebinding =
        _ ->
            List.of(
                polls.getAndIncrement() == 0
                    ? InetAddress.getByName("198.20.0.1")
                    : InetAddress.getLoopbackAddress());
    site.put("/photo", PHOTO);
    try (FetchPhoto other = new FetchPhoto(LIMITS, rebinding, Set.of())) {
      String address = site.at("rebind.example", "/photo");
      Path file = directory.resolve("rebound");
      assertThatThrownBy(() -> other.fetch(PhotoLane.INTERACTIVE, address, file))
          .isInstanceOf(HostUnreachableException.class);
      assertThat(polls.get()).isEqualTo(1);
      assertThatThrownBy(() -> other.fetch(PhotoLane.INTERACTIVE, address, file))
          .isInstanceOf(InvalidPhotoException.class);
    }
    assertThat(site.requested()).isEmpty();
  }

  @Test
  void fetch_tooLarge_isRefused() {
    site.put("/declared-length", new byte[100_001]);
    site.put(
        "/undeclared-length",
        call -> {
          call.sendResponseHeaders(200, 0);
          byte[] page = new byte[10_000];
          for (int i = 0; i < 1_000; i++) {
            call.getResponseBody().write(page);
          }
        });
    assertBad(trusted("/declared-length"), "too-large");
    assertBad(trusted("/undeclared-length"), "too-large");
  }

  @Test
  void fetch_responsesByStatus_areReported() {
    site.put("/gone", 410);
    site.put("/busy", 503);
    site.put("/slowly", 429);
    assertThatThrownBy(() -> fetched(trusted("/gone")))
        .isInstanceOf(InvalidPhotoException.class)
        .hasMessage("the server answers 410");
    assertThatThrownBy(() -> fetched(trusted("/busy")))
        .isInstanceOf(HostUnreachableException.class)
        .hasMessage("unreachable: the server answers 503");
    assertThatThrownBy(() -> fetched(trusted("/slowly")))
        .isInstanceOf(HostUnreachableException.class);
    assertThatThrownBy(() -> fetched("http://gone.example/photo"))
        .isInstanceOf(HostUnreachableException.class)
        .hasMessage("unreachable: the name is not known");
  }

  /// A byte now and then, each within the read timeout.
  @Test
  void fetch_slowBody_endsAtDeadline() {
    site.put(
        "/drip",
        call -> {
          call.sendResponseHeaders(200, 1_000);
          for (int i = 0; i < 100; i++) {
            call.getResponseBody().write(0);
            call.getResponseBody().flush();
            pause();
          }
        });
    long start = System.nanoTime();
    assertThatThrownBy(() -> fetched(trusted("/drip")))
        .isInstanceOf(HostUnreachableException.class)
        .hasMessage("unreachable: it takes too long");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
  }

  /// Three of the four permits are held by bulk requests to hosts that do not respond.
  @Test
  void fetch_slowHostsInBulk_leaveAPermitToInteractive() throws Exception {
    CountDownLatch requested = new CountDownLatch(3);
    CountDownLatch finished = new CountDownLatch(1);
    site.put(
        "/slow",
        call -> {
          requested.countDown();
          call.sendResponseHeaders(200, 0);
          for (int i = 0; i < 5 && finished.getCount() > 0; i++) {
            call.getResponseBody().write(0);
            call.getResponseBody().flush();
            pause();
          }
          call.close();
        });
    List<CompletableFuture<Void>> running =
        Stream.of("pictures.intern", "albums.intern", "prints.intern")
            .map(host -> site.at(host, "/slow"))
            .map(
                slow ->
                    CompletableFuture.runAsync(
                        () -> fetchInBulk(slow), task -> Thread.ofVirtual().start(task)))
            .toList();
    assertThat(requested.await(10, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(
            () -> fetch.fetch(PhotoLane.BULK, albums("/photo"), directory.resolve("late")))
        .isInstanceOf(HostBusyException.class);
    site.put("/photo", PHOTO);
    assertThat(fetched(albums("/photo"))).isEqualTo(PHOTO);
    finished.countDown();
    running.forEach(CompletableFuture::join);
  }

  private String albums(String path) {
    return site.at("albums.intern", path);
  }

  private void fetchInBulk(String address) {
    try {
      fetch.fetch(PhotoLane.BULK, address, Files.createTempFile(directory, "slow", ""));
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  /// A pause of the server, not of the test.
  private static void pause() {
    try {
      Thread.sleep(Duration.ofMillis(300));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String trusted(String path) {
    return site.at("pictures.intern", path);
  }

  private void assertBad(String address, String reason) {
    assertThatThrownBy(() -> fetched(address))
        .isInstanceOfSatisfying(
            InvalidPhotoException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private byte[] fetched(String address) throws Exception {
    Path file = directory.resolve("photo");
    fetch.fetch(PhotoLane.INTERACTIVE, address, file);
    return Files.readAllBytes(file);
  }
}
