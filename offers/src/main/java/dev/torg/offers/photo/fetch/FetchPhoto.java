package dev.torg.offers.photo.fetch;

import dev.torg.offers.photo.InvalidPhotoException;
import dev.torg.offers.photo.PhotoAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

/// Fetches photos from addresses that people give. Few at a time from one host, whoever asks, and nobody
/// waits long for a host that others wait for.
public final class FetchPhoto implements AutoCloseable {
  /// Hosts share places by hash; that many make collisions rare.
  private static final int HOSTS = 1 << 10;

  private static final int BUFFER = 64 * 1024;

  private final FetchLimits limits;
  private final CloseableHttpClient client;
  private final List<HostLimiter> hosts;
  private final List<HostLimiter> backgroundHosts;
  private final Semaphore atOnce;
  private final Semaphore background;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("photo-deadlines").daemon().factory());

  /// @param trusted hosts that may be anywhere
  public FetchPhoto(FetchLimits limits, HostResolver names, Set<String> trusted) {
    this.limits = limits;
    this.client = client(limits, new PublicOnlyDnsResolver(names, trusted));
    int first = Math.max(1, limits.perHost() / 3);
    this.hosts = hosts(first);
    this.backgroundHosts = hosts(Math.max(1, limits.perHost() - first));
    this.atOnce = new Semaphore(limits.atOnce());
    this.background = new Semaphore(limits.atOnce() * 3 / 4);
  }

  private static List<HostLimiter> hosts(int places) {
    return Stream.generate(() -> new HostLimiter(places)).limit(HOSTS).toList();
  }

  /// Writes what the address leads to into the file.
  public void fetch(String address, Path into)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          InterruptedException,
          IOException {
    URI at = parsed(address);
    fetch(host(hosts, at), at, into, List.of(atOnce));
  }

  /// The same for work that others do not wait for: a third of a host's places and a quarter of all are left to them.
  public void inBackground(String address, Path into)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          InterruptedException,
          IOException {
    URI at = parsed(address);
    fetch(host(backgroundHosts, at), at, into, List.of(background, atOnce));
  }

  private void fetch(HostLimiter host, URI at, Path into, List<Semaphore> places)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          InterruptedException,
          IOException {
    host.enter(limits.queueTimeout());
    long began = System.nanoTime();
    try {
      inPlaces(places, host, at, into);
    } finally {
      host.release(began);
    }
  }

  /// Takes one place after the other.
  private void inPlaces(List<Semaphore> places, HostLimiter host, URI at, Path into)
      throws InvalidPhotoException,
          HostUnreachableException,
          HostBusyException,
          InterruptedException,
          IOException {
    if (places.isEmpty()) {
      follow(at, into);
      return;
    }
    take(places.getFirst(), host);
    try {
      inPlaces(places.subList(1, places.size()), host, at, into);
    } finally {
      places.getFirst().release();
    }
  }

  private void take(Semaphore places, HostLimiter host)
      throws HostBusyException, InterruptedException {
    if (!places.tryAcquire(limits.queueTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
      throw new HostBusyException(host.nextDelay());
    }
  }

  private static HostLimiter host(List<HostLimiter> hosts, URI at) {
    return hosts.get(Math.floorMod(String.valueOf(at.getHost()).hashCode(), HOSTS));
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

  /// Where the address redirects to, or nothing when the photo is there.
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
      return answer(request, at, response, out);
    } catch (PrivateAddressException e) {
      throw new InvalidPhotoException("refused", "the address is not on the public network");
    } catch (IOException e) {
      throw new HostUnreachableException(why(request, e));
    }
  }

  /// A body that is not wanted is cut off: closing alone would read it to its end, if it has one.
  private Optional<URI> answer(
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
      throw new InvalidPhotoException("not-an-image", "the address answers nothing");
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
        "bad-address", "the address, or one it redirects to, is no http address");
  }

  /// Too many requests, a time-out or trouble on the other side may pass; a refusal stays one.
  private static HostUnreachableException refused(int status) throws InvalidPhotoException {
    if (status >= 500 || status == 408 || status == 425 || status == 429) {
      return new HostUnreachableException("unreachable: the server answers " + status);
    }
    throw new InvalidPhotoException("status", "the server answers " + status);
  }

  private static String why(HttpGet request, IOException e) {
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
