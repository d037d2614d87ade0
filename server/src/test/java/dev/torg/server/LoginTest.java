package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.SessionProtocol;
import dev.torg.api.v1.IdentityServiceGrpc;
import dev.torg.api.v1.LoginRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The development login against web pages whose name resolves to this machine (DNS rebinding) and
/// reverse proxies on this machine, by real requests in each protocol.
class LoginTest {
  private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)content-length: (\\d+)");
  private static final String BODY = "{\"userId\":\"42\"}";

  private static RunningServer torg;

  @BeforeAll
  static void start() {
    torg = new RunningServer();
  }

  @AfterAll
  static void stop() {
    torg.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "LOCALHOST:1", "127.0.0.1:8080", "127.3.2.1", "[::1]:8080", "[::1]"})
  void login_nameOfThisMachine_getsAResponse(String host) throws IOException {
    assertThat(http1(torg, "Host: " + host)).startsWith("HTTP/1.1 200").contains("\"token\"");
    assertThat(http2(host).status().code()).isEqualTo(200);
    assertThat(grpc(host, new Metadata())).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rebound.example",
        "rebound.example:8080",
        "localhost.rebound.example",
        "127.0.0.1.rebound.example",
        "192.0.2.1:8080",
        "0.0.0.0:8080",
        "[2001:db8::1]:8080"
      })
  void login_anotherName_isForbidden(String host) throws IOException {
    assertThat(http1(torg, "Host: " + host))
        .startsWith("HTTP/1.1 403")
        .contains("login.not-local")
        .doesNotContain("\"token\"");
    AggregatedHttpResponse response = http2(host);
    assertThat(response.status().code()).isEqualTo(403);
    assertThat(response.contentUtf8()).contains("login.not-local");
    assertRefused(host, new Metadata());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded: for=192.0.2.1",
        "X-Forwarded-For: 192.0.2.1",
        "X-Forwarded-Host: torg.example",
        "x-forwarded-proto: https",
        "X-Real-IP: 192.0.2.1",
        "Via: 1.1 proxy"
      })
  void login_throughAProxy_isForbidden(String header) throws IOException {
    assertThat(http1(torg, "Host: localhost\r\n" + header))
        .startsWith("HTTP/1.1 403")
        .contains("login.not-local");
    String[] parts = header.split(": ", 2);
    Metadata metadata = new Metadata();
    metadata.put(
        Metadata.Key.of(
            parts[0].toLowerCase(java.util.Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER),
        parts[1]);
    assertRefused("localhost", metadata);
  }

  @Test
  void login_httpWithoutHost_isForbidden() throws IOException {
    assertThat(http1(torg, "X-Nothing: 1")).doesNotContain("\"token\"");
  }

  @Test
  void login_insecure_acceptsEveryCaller() throws IOException {
    try (RunningServer open =
        new RunningServer(ServerConfig.local(0), List.of(), List.of(), DevelopmentLogin.INSECURE)) {
      assertThat(http1(open, "Host: torg.example\r\nX-Forwarded-For: 192.0.2.1"))
          .startsWith("HTTP/1.1 200")
          .contains("\"token\"");
    }
  }

  @Test
  void anonymous_anotherNameOrProxy_getsAResponse() {
    assertThat(torg.post("/v1/anonymous", "{}", "X-Forwarded-For", "192.0.2.1").status())
        .isEqualTo(200);
  }

  /// The server's response to a request with exactly these headers.
  private static String http1(RunningServer server, String headers) throws IOException {
    String request =
        """
        POST /v1/login HTTP/1.1
        %s
        Content-Type: application/json
        Content-Length: %d
        Connection: close

        %s"""
            .formatted(headers.replace("\r\n", "\n"), BODY.length(), BODY)
            .replace("\n", "\r\n");
    try (Socket socket = new Socket("127.0.0.1", server.server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return respond(socket.getInputStream());
    }
  }

  /// Up to the end of the body: the server leaves it to the client to close the connection first.
  private static String respond(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as("the connection ended within %s", head).isNotNegative();
      head.append((char) next);
    }
    Matcher length = CONTENT_LENGTH.matcher(head);
    assertThat(length.find()).as("%s", head).isTrue();
    byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
    return head + new String(body, StandardCharsets.UTF_8);
  }

  private static AggregatedHttpResponse http2(String authority) {
    WebClient client =
        WebClient.of(SessionProtocol.H2C, Endpoint.of("127.0.0.1", torg.server.port()));
    RequestHeaders headers =
        RequestHeaders.builder(HttpMethod.POST, "/v1/login")
            .set(HttpHeaderNames.AUTHORITY, authority)
            .contentType(MediaType.JSON)
            .build();
    return client.execute(HttpRequest.of(headers, HttpData.ofUtf8(BODY))).aggregate().join();
  }

  private static String grpc(String authority, Metadata headers) {
    ManagedChannel channel =
        OkHttpChannelBuilder.forAddress("127.0.0.1", torg.server.port())
            .overrideAuthority(authority)
            .usePlaintext()
            .build();
    try {
      return IdentityServiceGrpc.newBlockingStub(channel)
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
          .login(LoginRequest.newBuilder().setUserId("42").build())
          .getToken();
    } finally {
      channel.shutdownNow();
    }
  }

  private static void assertRefused(String authority, Metadata headers) {
    assertThatThrownBy(() -> grpc(authority, headers))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
  }
}
