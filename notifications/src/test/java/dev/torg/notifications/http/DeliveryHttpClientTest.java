package dev.torg.notifications.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.torg.notifications.http.HttpCallResult.Answered;
import dev.torg.notifications.http.HttpCallResult.Lost;
import dev.torg.notifications.http.HttpCallResult.NotSent;
import dev.torg.notifications.http.HttpCallResult.PrivateAddress;
import dev.torg.platform.net.PublicHostResolver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryHttpClientTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-05-04T10:00:00Z"));

  private final TestEndpoint endpoint = new TestEndpoint();
  private final DeliveryHttpClient http =
      DeliveryHttpClient.forRecipients(
          new PublicHostResolver(DeliveryHttpClientTest::resolve, Set.of("trusted.intern")),
          TestTimeouts.LONG,
          CLOCK);

  private static List<InetAddress> resolve(String host) throws UnknownHostException {
    return switch (host) {
      case "trusted.intern", "evil.example" -> List.of(InetAddress.getLoopbackAddress());
      case "half.example" ->
          List.of(InetAddress.getByName("93.184.216.34"), InetAddress.getByName("10.0.0.1"));
      case "gone.example" -> throw new UnknownHostException(host);
      default -> List.of(InetAddress.getByName(host));
    };
  }

  @AfterEach
  void close() {
    http.close();
    endpoint.close();
  }

  private String trusted() {
    return endpoint.url().replace("127.0.0.1", "trusted.intern");
  }

  private HttpCallResult post(String url) {
    return post(http, url);
  }

  private static HttpCallResult post(DeliveryHttpClient client, String url) {
    return client.call(
        HttpRequest.of(
            HttpMethod.POST,
            RecipientUrl.parse(url).orElseThrow().toString(),
            MediaType.PLAIN_TEXT,
            "hello"));
  }

  @Test
  void call_trustedHost_isAnswered() {
    assertThat(post(trusted() + "/hook?a=b%2Fc"))
        .isEqualTo(new Answered(200, "200 OK", Optional.empty()));
    assertThat(endpoint.requests().getFirst().path()).isEqualTo("/hook?a=b%2Fc");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:%d/",
        "http://localhost:%d/",
        "http://localhost.:%d/",
        "http://[::1]:%d/",
        "http://[::ffff:127.0.0.1]:%d/",
        "http://10.0.0.1:%d/",
        "http://169.254.169.254:%d/latest/meta-data",
        "http://0.0.0.0:%d/",
        "http://evil.example:%d/",
        "http://half.example:%d/"
      })
  void call_privateAddress_isNotSent(String url) {
    int port = java.net.URI.create(endpoint.url()).getPort();
    assertThat(post(url.formatted(port))).isInstanceOfAny(PrivateAddress.class, NotSent.class);
    assertThat(endpoint.requests()).isEmpty();
  }

  @Test
  void call_nameOfPrivateAddress_isRefusedAsPrivate() {
    assertThat(post(endpoint.url().replace("127.0.0.1", "evil.example")))
        .isEqualTo(new PrivateAddress());
    assertThat(post(endpoint.url())).isEqualTo(new PrivateAddress());
  }

  @Test
  void call_redirect_isNotFollowed() {
    endpoint.answers(
        _ ->
            HttpResponse.of(
                ResponseHeaders.of(
                    HttpStatus.FOUND, HttpHeaderNames.LOCATION, trusted() + "/other")));
    assertThat(post(trusted())).isEqualTo(new Answered(302, "", Optional.empty()));
    assertThat(endpoint.requests()).hasSize(1);
  }

  @Test
  void call_hugeResponse_isCutAndAnswered() {
    endpoint.answers(
        _ -> HttpResponse.of(HttpStatus.CREATED, MediaType.OCTET_STREAM, new byte[1 << 20]));
    assertThat(post(trusted())).isEqualTo(new Answered(201, "", Optional.empty()));
  }

  @Test
  void call_retryAfter_isRead() {
    endpoint.answers(
        _ ->
            HttpResponse.of(
                ResponseHeaders.of(HttpStatus.TOO_MANY_REQUESTS, HttpHeaderNames.RETRY_AFTER, "17"),
                HttpData.empty()));
    assertThat(post(trusted()))
        .isEqualTo(new Answered(429, "", Optional.of(Duration.ofSeconds(17))));
  }

  @Test
  void call_noResponse_isLost() {
    endpoint.answers(_ -> HttpResponse.delayed(HttpResponse.of(200), Duration.ofMinutes(1)));
    try (DeliveryHttpClient impatient =
        DeliveryHttpClient.forRecipients(
            new PublicHostResolver(DeliveryHttpClientTest::resolve, Set.of("trusted.intern")),
            new HttpTimeouts(
                Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofMillis(200)),
            CLOCK)) {
      assertThat(post(impatient, trusted())).isEqualTo(new Lost("timeout"));
    }
  }

  @Test
  void call_nothingListens_isNotSent() {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    assertThat(post("http://trusted.intern:" + port)).isEqualTo(new NotSent("connection-refused"));
    assertThat(post("http://gone.example/")).isEqualTo(new NotSent("unknown-host"));
  }

  @Test
  void call_connectionClosedAfterTheRequest_isLost() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = server.accept()) {
                  int read = socket.getInputStream().read(new byte[1024]);
                  assertThat(read).isPositive();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      assertThat(post("http://trusted.intern:" + server.getLocalPort()))
          .isEqualTo(new Lost("connection-lost"));
    }
  }
}
