package dev.torg.photos;

import dev.torg.platform.net.HostResolver;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The operator's settings for photos.
///
/// @param store where pictures and uploads are stored
/// @param trustedHosts names and addresses that photos may be fetched from even if they are not public
/// @param baseUrl prefix of picture addresses in offers; if empty they begin with `/photos/`
/// @param threads images decoded concurrently
/// @param fetch limits of a fetch
/// @param names resolves host names
/// @param retryDelays delays before each further attempt at an unreachable address
public record PhotoSettings(
    Store store,
    Set<String> trustedHosts,
    String baseUrl,
    int threads,
    FetchLimits fetch,
    HostResolver names,
    List<Duration> retryDelays) {

  /// The first retry covers a short interruption, the second a restart. Then the photo fails; after a
  /// longer outage the seller's next feed requests it again.
  private static final List<Duration> RETRY_DELAYS =
      List.of(Duration.ofSeconds(3), Duration.ofSeconds(15));

  /// Where the bytes are stored.
  public sealed interface Store {
    record Directory(Path path) implements Store {}

    /// A bucket of an S3-compatible store.
    ///
    /// @param prefix of every key; empty or ending with a slash
    /// @param endpoint of a store other than Amazon's
    /// @param keys credentials; if absent the AWS SDK's default provider chain is used
    record Bucket(
        String name, String prefix, String region, Optional<URI> endpoint, Optional<Keys> keys)
        implements Store {}
  }

  /// The credentials that sign requests to a bucket.
  public record Keys(String access, String secret) {
    @Override
    public String toString() {
      return "Keys[" + access + "]";
    }
  }

  public PhotoSettings {
    trustedHosts = Set.copyOf(trustedHosts);
    retryDelays = List.copyOf(retryDelays);
  }

  public static PhotoSettings defaults(Path directory) {
    return new PhotoSettings(
        new Store.Directory(directory),
        Set.of(),
        "",
        Runtime.getRuntime().availableProcessors(),
        FetchLimits.defaults(),
        HostResolver.SYSTEM,
        RETRY_DELAYS);
  }

  public PhotoSettings withStore(Store other) {
    return new PhotoSettings(other, trustedHosts, baseUrl, threads, fetch, names, retryDelays);
  }

  public PhotoSettings withTrustedHosts(Set<String> others) {
    return new PhotoSettings(store, others, baseUrl, threads, fetch, names, retryDelays);
  }

  public PhotoSettings withBaseUrl(String other) {
    return new PhotoSettings(store, trustedHosts, other, threads, fetch, names, retryDelays);
  }

  public PhotoSettings withThreads(int other) {
    return new PhotoSettings(store, trustedHosts, baseUrl, other, fetch, names, retryDelays);
  }

  public PhotoSettings withFetch(FetchLimits limits, HostResolver resolver) {
    return new PhotoSettings(store, trustedHosts, baseUrl, threads, limits, resolver, retryDelays);
  }
}
