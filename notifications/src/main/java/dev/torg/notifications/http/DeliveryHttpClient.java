package dev.torg.notifications.http;

import com.google.common.net.InetAddresses;
import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.ClientRequestContextCaptor;
import com.linecorp.armeria.client.Clients;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.common.util.Exceptions;
import dev.torg.notifications.http.HttpCallResult.Answered;
import dev.torg.notifications.http.HttpCallResult.Lost;
import dev.torg.notifications.http.HttpCallResult.NotSent;
import dev.torg.notifications.http.HttpCallResult.PrivateAddress;
import dev.torg.platform.net.PrivateAddressException;
import dev.torg.platform.net.PublicHostResolver;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Makes calls that are bounded in time and size and follow no redirects. Uses HTTP/2 where the server supports it.
public final class DeliveryHttpClient implements AutoCloseable {

  /// Shorter than the idle timeouts of usual servers: a call on a connection that the server is closing has an unknown
  /// outcome.
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(15);

  private static final int MAX_RESPONSE_BYTES = 32 * 1024;

  private final ClientFactory factory;
  private final WebClient client;
  private final Optional<PublicHostResolver> hosts;
  private final InstantSource clock;
  private final HttpTimeouts timeouts;

  private DeliveryHttpClient(
      ClientFactory factory,
      HttpTimeouts timeouts,
      Optional<PublicHostResolver> hosts,
      InstantSource clock) {
    this.factory = factory;
    this.hosts = hosts;
    this.clock = clock;
    this.timeouts = timeouts;
    this.client =
        WebClient.builder()
            .factory(factory)
            .writeTimeout(timeouts.write())
            .responseTimeout(timeouts.response())
            .maxResponseLength(MAX_RESPONSE_BYTES)
            .build();
  }

  /// For addresses that the operator configured.
  public static DeliveryHttpClient forProviders(HttpTimeouts timeouts, InstantSource clock) {
    return new DeliveryHttpClient(factory(timeouts).build(), timeouts, Optional.empty(), clock);
  }

  /// For addresses that recipients gave: only hosts on the public network, or trusted ones, are called.
  public static DeliveryHttpClient forRecipients(
      PublicHostResolver hosts, HttpTimeouts timeouts, InstantSource clock) {
    PublicNameResolverGroup resolvers = new PublicNameResolverGroup(hosts);
    return new DeliveryHttpClient(
        factory(timeouts).addressResolverGroupFactory(_ -> resolvers).build(),
        timeouts,
        Optional.of(hosts),
        clock);
  }

  private static ClientFactoryBuilder factory(HttpTimeouts timeouts) {
    return ClientFactory.builder()
        .connectTimeout(timeouts.connect())
        .idleTimeout(IDLE_TIMEOUT)
        .useHttp2Preface(false);
  }

  /// Waits for the result.
  public HttpCallResult call(HttpRequest request) {
    ClientRequestContext context = null;
    try (ClientRequestContextCaptor captor = Clients.newContextCaptor()) {
      requirePublicLiteral(request.uri());
      HttpResponse response = client.execute(request);
      context = captor.getOrNull();
      return answered(response.aggregate().get(timeouts.total().toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      return failed(Exceptions.peel(e), context);
    } catch (TimeoutException e) {
      return new Lost("timeout");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Lost("interrupted");
    } catch (UnknownHostException | IllegalArgumentException e) {
      return failed(UnprocessedRequestException.of(e), null);
    }
  }

  /// The client resolves names only.
  private void requirePublicLiteral(URI uri) throws UnknownHostException {
    String host = String.valueOf(uri.getHost());
    if (hosts.isPresent() && (InetAddresses.isUriInetAddress(host) || host.startsWith("["))) {
      hosts.get().resolve(host);
    }
  }

  private Answered answered(AggregatedHttpResponse response) {
    return new Answered(
        response.status().code(), response.contentUtf8(), retryAfter(response.headers()));
  }

  private Optional<Duration> retryAfter(ResponseHeaders headers) {
    return RetryAfter.parse(headers.get(HttpHeaderNames.RETRY_AFTER), clock.instant());
  }

  /// A status that was received is an answer, whatever happened to the body.
  private HttpCallResult failed(Throwable cause, @Nullable ClientRequestContext context) {
    ResponseHeaders headers = context == null ? null : received(context);
    if (headers != null) {
      return new Answered(headers.status().code(), "", retryAfter(headers));
    }
    if (cause instanceof UnprocessedRequestException unprocessed) {
      return notSent(unprocessed.getCause());
    }
    return new Lost(cause instanceof ResponseTimeoutException ? "timeout" : "connection-lost");
  }

  private static @Nullable ResponseHeaders received(ClientRequestContext context) {
    RequestLog log = context.log().getIfAvailable(RequestLogProperty.RESPONSE_HEADERS);
    return log == null || log.responseHeaders().status().code() == 0 ? null : log.responseHeaders();
  }

  private static HttpCallResult notSent(@Nullable Throwable cause) {
    return switch (cause) {
      case PrivateAddressException _ -> new PrivateAddress();
      case UnknownHostException _ -> new NotSent("unknown-host");
      case SSLException _ -> new NotSent("tls-failed");
      case java.net.ConnectException _ -> new NotSent("connection-refused");
      case null, default -> new NotSent("not-connected");
    };
  }

  @Override
  public void close() {
    factory.close();
  }
}
