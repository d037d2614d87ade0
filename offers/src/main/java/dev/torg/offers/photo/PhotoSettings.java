package dev.torg.offers.photo;

import dev.torg.offers.photo.blob.S3BlobStore;
import dev.torg.offers.photo.fetch.FetchLimits;
import dev.torg.offers.photo.fetch.HostResolver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// What an operator may set about photos.
///
/// @param store where they lie
/// @param trustedHosts names and addresses that photos may be fetched from wherever they are
/// @param baseUrl before the addresses of sizes in offers; empty: they begin with `/photos/`
/// @param atOnce images made at once
/// @param fetch what a fetch may take
/// @param names how names are resolved
/// @param pauses before each further attempt at an address that cannot be reached
public record PhotoSettings(
    Store store,
    Set<String> trustedHosts,
    String baseUrl,
    int atOnce,
    FetchLimits fetch,
    HostResolver names,
    List<Duration> pauses) {

  /// Soon, in case of a hiccup; later, in case of a restart. Whoever waits for the photo then hears that
  /// it failed; after an outage the seller's next feed has it tried again.
  private static final List<Duration> PAUSES =
      List.of(Duration.ofSeconds(3), Duration.ofSeconds(15));

  /// Where the bytes lie.
  public sealed interface Store {
    record Directory(Path path) implements Store {}

    record S3(S3BlobStore.Bucket bucket) implements Store {}
  }

  public PhotoSettings {
    trustedHosts = Set.copyOf(trustedHosts);
    pauses = List.copyOf(pauses);
  }

  public static PhotoSettings defaults(Path directory) {
    return new PhotoSettings(
        new Store.Directory(directory),
        Set.of(),
        "",
        Runtime.getRuntime().availableProcessors(),
        FetchLimits.DEFAULTS,
        HostResolver.SYSTEM,
        PAUSES);
  }

  public PhotoSettings withStore(Store other) {
    return new PhotoSettings(other, trustedHosts, baseUrl, atOnce, fetch, names, pauses);
  }

  public PhotoSettings withTrustedHosts(Set<String> others) {
    return new PhotoSettings(store, others, baseUrl, atOnce, fetch, names, pauses);
  }

  public PhotoSettings withBaseUrl(String other) {
    return new PhotoSettings(store, trustedHosts, other, atOnce, fetch, names, pauses);
  }

  public PhotoSettings withAtOnce(int other) {
    return new PhotoSettings(store, trustedHosts, baseUrl, other, fetch, names, pauses);
  }

  public PhotoSettings withFetch(FetchLimits limits, HostResolver resolver) {
    return new PhotoSettings(store, trustedHosts, baseUrl, atOnce, limits, resolver, pauses);
  }
}
