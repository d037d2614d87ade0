package dev.torg.photos.fetch;

import dev.torg.photos.FetchLimits;
import dev.torg.photos.InvalidPhotoException;
import dev.torg.photos.PhotoAddress;
import dev.torg.photos.PhotoLane;
import dev.torg.platform.net.HostResolver;
import dev.torg.platform.net.PrivateAddressException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.util.Timeout;

/// Fetches photos from addresses given by sellers. Limits the concurrent fetches from one host across all
/// callers; a caller that would wait long for a busy host is deferred.
public final class FetchPhoto implements AutoCloseable {
  /// Hosts share limiters by hash; this many make collisions rare.
  private static final int HOST_LIMITERS = 1 << 10;

  private static final int BUFFER = 64 * 1024;

  private final FetchLimits limits;
  private final CloseableHttpClient client;
  private final Map<PhotoLane, List<HostLimiter>> hosts;
  private final Semaphore allPermits;
  private final Semaphore bulkPermits;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("photo-deadlines").daemon().factory());

  /// @param trusted hosts that may have private addresses
  public FetchPhoto(FetchLimits limits, HostResolver names, Set<String> trusted) {
    this.limits = limits;
    this.client = client(limits, new PublicOnlyDnsResolver(names, trusted));
    int interactive = Math.max(1, limits.perHost() / 3);
    int bulk = Math.max(1, limits.perHost() - interactive);
    this.hosts = Map.of(PhotoLane.INTERACTIVE, hosts(interactive), PhotoLane.BULK, hosts(bulk));
    this.allPermits = new Semaphore(limits.atOnce());
    this.bulkPermits = new Semaphore(limits.atOnce() * 3 / 4);
  }

  private static List<HostLimiter> hosts(int permits) {
    return Stream.generate(() -> new HostLimiter(permits)).limit(HOST_LIMITERS).toList();
  }

  /// Downloads the response body into the file, following redirects. The bulk lane leaves a third of a
  /// host's permits and a quarter of all permits to the interactive one.
  public void fetch(PhotoLane lane, String address, Path into)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          InterruptedException,
          IOException {
    URI uri = parsed(address);
    HostLimiter host = host(lane, uri);
    host.enter(limits.queueTimeout());
    long startNanos = System.nanoTime();
    try {
      fetch(permits(lane), host, uri, into);
    } finally {
      host.release(startNanos);
    }
  }

  private List<Semaphore> permits(PhotoLane lane) {
    return switch (lane) {
      case INTERACTIVE -> List.of(allPermits);
      case BULK -> List.of(bulkPermits, allPermits);
    };
  }

  /// Acquires the permits in order.
  private void fetch(List<Semaphore> permits, HostLimiter host, URI uri, Path into)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          InterruptedException,
          IOException {
    if (permits.isEmpty()) {
      follow(uri, into);
      return;
    }
    acquire(permits.getFirst(), host);
    try {
      fetch(permits.subList(1, permits.size()), host, uri, into);
    } finally {
      permits.getFirst().release();
    }
  }

  private void acquire(Semaphore permits, HostLimiter host)
      throws HostBusyException, InterruptedException {
    if (!permits.tryAcquire(limits.queueTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
      throw new HostBusyException(host.nextDelay());
    }
  }

  private HostLimiter host(PhotoLane lane, URI uri) {
    int index = Math.floorMod(String.valueOf(uri.getHost()).hashCode(), HOST_LIMITERS);
    return Objects.requireNonNull(hosts.get(lane)).get(index);
  }

  @Override
  public void close() throws IOException {
    clock.shutdownNow();
    client.close();
  }

  private void follow(URI start, Path into)
      throws InvalidPhotoException, HostUnreachableException, IOException {
    long deadline = System.nanoTime() + limits.totalTimeout().toNanos();
    URI at = start;
    for (int i = 0; i <= limits.redirects(); i++) {
      Optional<URI> next = get(at, into, deadline);
      if (next.isEmpty()) {
        return;
      }
      at = next.get();
    }
    throw new InvalidPhotoException(
        "redirects", "the address redirects more than " + limits.redirects() + " times");
  }

  /// The redirect target; empty if the photo was written.
  private Optional<URI> get(URI at, Path into, long deadline)
      throws InvalidPhotoException, HostUnreachableException, IOException {
    HttpGet request = new HttpGet(at);
    request.setHeader("Accept", "image/jpeg, image/png, image/webp");
    ScheduledFuture<?> alarm =
        clock.schedule(
            request::cancel, Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    try (OutputStream out = Files.newOutputStream(into)) {
      return exchange(request, at, out);
    } finally {
      alarm.cancel(false);
    }
  }

  private Optional<URI> exchange(HttpGet request, URI at, OutputStream out)
      throws InvalidPhotoException, HostUnreachableException {
    try (ClassicHttpResponse response = client.executeOpen(null, request, null)) {
      return receive(request, at, response, out);
    } catch (PrivateAddressException e) {
      throw new InvalidPhotoException("refused", "the address is not on the public network");
    } catch (IOException e) {
      throw new HostUnreachableException(reason(request, e));
    }
  }

  /// Cancels the request if its body is not needed: closing alone would read the body to its end.
  private Optional<URI> receive(
      HttpGet request, URI at, ClassicHttpResponse response, OutputStream out)
      throws InvalidPhotoException, HostUnreachableException, IOException {
    int status = response.getCode();
    if (status != 200) {
      request.cancel();
      if (isRedirect(status)) {
        return Optional.of(target(at, response.getFirstHeader("Location")));
      }
      throw refused(status);
    }
    try {
      copy(response.getEntity(), out);
      return Optional.empty();
    } catch (InvalidPhotoException e) {
      request.cancel();
      throw e;
    }
  }

  private void copy(HttpEntity entity, OutputStream out) throws InvalidPhotoException, IOException {
    if (entity == null) {
      throw new InvalidPhotoException("not-an-image", "the response is empty");
    }
    long length = entity.getContentLength();
    if (length > limits.bytes()) {
      throw tooLarge();
    }
    long copied = 0;
    byte[] buffer = new byte[BUFFER];
    InputStream in = entity.getContent();
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      copied += read;
      if (copied > limits.bytes()) {
        throw tooLarge();
      }
      out.write(buffer, 0, read);
    }
  }

  private InvalidPhotoException tooLarge() {
    return new InvalidPhotoException(
        "too-large", "the photo is larger than " + limits.bytes() / (1024 * 1024) + " MB");
  }

  private static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  private static URI target(URI at, Header location) throws InvalidPhotoException {
    try {
      return parsed(at.resolve(location == null ? "" : location.getValue()).toString());
    } catch (IllegalArgumentException e) {
      throw badAddress();
    }
  }

  private static URI parsed(String address) throws InvalidPhotoException {
    return PhotoAddress.parse(address)
        .map(uri -> URI.create(uri.toASCIIString()))
        .orElseThrow(FetchPhoto::badAddress);
  }

  private static InvalidPhotoException badAddress() {
    return new InvalidPhotoException(
        "bad-address", "the address, or one it redirects to, is not an http address");
  }

  /// Too many requests, a timeout and a server error are transient; other statuses are final.
  private static HostUnreachableException refused(int status) throws InvalidPhotoException {
    if (status >= 500 || status == 408 || status == 425 || status == 429) {
      return new HostUnreachableException("unreachable: the server answers " + status);
    }
    throw new InvalidPhotoException("status", "the server answers " + status);
  }

  private static String reason(HttpGet request, IOException e) {
    return switch (e) {
      case java.net.UnknownHostException _ -> "unreachable: the name is not known";
      case java.net.SocketTimeoutException _ -> "unreachable: it takes too long";
      case javax.net.ssl.SSLException _ -> "unreachable: no secure connection";
      default ->
          request.isCancelled()
              ? "unreachable: it takes too long"
              : "unreachable: the connection fails";
    };
  }

  private static CloseableHttpClient client(FetchLimits limits, PublicOnlyDnsResolver names) {
    return HttpClients.custom()
        .setConnectionManager(
            PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(names)
                .setMaxConnTotal(limits.atOnce())
                .setMaxConnPerRoute(limits.perHost())
                .setDefaultConnectionConfig(
                    ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.of(limits.connect()))
                        .setSocketTimeout(Timeout.of(limits.readTimeout()))
                        .build())
                .build())
        .setDefaultRequestConfig(
            RequestConfig.custom()
                .setResponseTimeout(Timeout.of(limits.readTimeout()))
                .setConnectionRequestTimeout(Timeout.of(limits.totalTimeout()))
                .setProtocolUpgradeEnabled(false)
                .build())
        .setUserAgent("Torg")
        .disableRedirectHandling()
        .disableAutomaticRetries()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableContentCompression()
        .build();
  }
}
