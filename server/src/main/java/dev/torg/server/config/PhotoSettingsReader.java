package dev.torg.server.config;

import dev.torg.photos.PhotoSettings;
import dev.torg.photos.PhotoSettings.Keys;
import dev.torg.photos.PhotoSettings.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Reads the settings of photos.
final class PhotoSettingsReader {
  private static final String S3 = "s3://";

  /// Settings that have a meaning only for a bucket.
  private static final List<Setting> BUCKET_SETTINGS =
      List.of(Setting.PHOTO_S3_ENDPOINT, Setting.PHOTO_S3_KEY, Setting.PHOTO_S3_SECRET);

  private PhotoSettingsReader() {}

  static PhotoSettings of(SettingReader read, Path data) {
    return PhotoSettings.defaults(data.resolve("photos"))
        .withStore(store(read, data))
        .withTrustedHosts(read.words(Setting.PHOTO_HOSTS))
        .withBaseUrl(
            read.text(Setting.PHOTO_URL)
                .map(_ -> read.url(Setting.PHOTO_URL).toString().replaceFirst("/+$", ""))
                .orElse(""))
        .withThreads(threads(read.number(Setting.PHOTO_THREADS, 0, 256)));
  }

  private static int threads(int configured) {
    return configured == 0 ? Runtime.getRuntime().availableProcessors() : configured;
  }

  private static Store store(SettingReader read, Path data) {
    String location = read.value(Setting.PHOTO_STORE);
    if (location.startsWith(S3)) {
      return bucket(read, location.substring(S3.length()));
    }
    BUCKET_SETTINGS.forEach(setting -> refuseWithoutBucket(read, setting));
    return new Store.Directory(
        read.path(Setting.PHOTO_STORE)
            .map(path -> path.toAbsolutePath().normalize())
            .orElse(data.resolve("photos")));
  }

  private static Store bucket(SettingReader read, String location) {
    int slash = location.indexOf('/');
    String name = slash < 0 ? location : location.substring(0, slash);
    String prefix = slash < 0 ? "" : location.substring(slash + 1).replaceFirst("/+$", "");
    if (name.isEmpty()) {
      throw SettingReader.invalid(Setting.PHOTO_STORE, "must be a directory or s3://BUCKET/PREFIX");
    }
    return new Store.Bucket(
        name,
        prefix.isEmpty() ? "" : prefix + "/",
        read.value(Setting.PHOTO_S3_REGION),
        read.text(Setting.PHOTO_S3_ENDPOINT).map(_ -> read.url(Setting.PHOTO_S3_ENDPOINT)),
        keys(read));
  }

  private static Optional<Keys> keys(SettingReader read) {
    Optional<String> access = read.text(Setting.PHOTO_S3_KEY);
    String secret = read.unstripped(Setting.PHOTO_S3_SECRET);
    if (access.isPresent() == secret.isEmpty()) {
      throw SettingReader.invalid(
          access.isPresent() ? Setting.PHOTO_S3_SECRET : Setting.PHOTO_S3_KEY,
          "must be given too: a key and its secret belong together");
    }
    return access.map(key -> new Keys(key, secret));
  }

  private static void refuseWithoutBucket(SettingReader read, Setting setting) {
    if (read.text(setting).isPresent()) {
      throw SettingReader.invalid(setting, "has no meaning unless photo-store is s3://…");
    }
  }
}
