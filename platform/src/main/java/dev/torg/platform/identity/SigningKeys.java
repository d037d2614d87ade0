package dev.torg.platform.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Torg's own ES256 keys, in one file (a JWK set with the private parts, mode 0600), newest first.
///
/// The first key signs; all verify. [#rotate] adds a new first key and drops those whose last token has
/// expired. Of a dropped key the key that [MessageAuthenticator] derived from it is kept, as an octet sequence, until
/// links in old mails need it no more. The file is created and replaced atomically. Signing, and verifying a token with an unknown key,
/// first check whether the file has been replaced: so every process signs with the new key from its next token
/// on; the check costs microseconds, far less than a signature.
public final class SigningKeys {
  private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);

  /// Serializes rotations in this process; the lock file excludes other processes.
  private static final Lock ROTATION = new ReentrantLock();

  /// What a replaced key has authenticated stays valid for so long: longer than a year, because people unsubscribe by
  /// links in old mails.
  private static final Duration DERIVED_KEY_RETENTION = Duration.ofDays(400);

  private final Path file;
  private volatile Loaded loaded;

  /// @param keys newest first
  /// @param derived the keys of [MessageAuthenticator], newest first
  private record KeySet(List<ECKey> keys, List<OctetSequenceKey> derived) {}

  /// The keys, and the file they were read from: its inode, time and size.
  private record Loaded(List<ECKey> keys, List<OctetSequenceKey> derived, String stamp) {}

  private SigningKeys(Path file, Loaded loaded) {
    this.file = file;
    this.loaded = loaded;
  }

  /// Reads the keys, creating the first one when the file is missing. Two processes that start concurrently
  /// agree on one key.
  public static SigningKeys open(Path file, InstantSource clock) {
    try {
      if (Files.notExists(file)) {
        create(file, List.of(newKey(clock.instant())));
      }
      return new SigningKeys(file, load(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep the signing keys in " + file, e);
    }
  }

  /// Signs with a new key from now on. Older keys verify until `longestLifetime` after they were replaced.
  public void rotate(InstantSource clock, Duration longestLifetime) {
    ROTATION.lock();
    try (FileChannel guard =
            FileChannel.open(
                file.resolveSibling(file.getFileName() + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = guard.lock()) {
      List<JWK> rotated = rotated(read(file), clock.instant(), longestLifetime);
      Files.move(
          write(file, rotated),
          file,
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      forceDirectory(file);
      loaded = load(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot rotate the signing keys in " + file, e);
    } finally {
      ROTATION.unlock();
    }
  }

  private static List<JWK> rotated(KeySet before, Instant now, Duration longestLifetime) {
    List<JWK> rotated = new ArrayList<>();
    rotated.add(newKey(now));
    Instant replacedAt = now;
    for (ECKey key : before.keys()) {
      rotated.add(
          replacedAt.plus(longestLifetime).isAfter(now) ? key : DerivedKey.of(key, replacedAt));
      replacedAt = key.getIssueTime().toInstant();
    }
    rotated.addAll(before.derived());
    rotated.removeIf(key -> key instanceof OctetSequenceKey derived && isOutdated(derived, now));
    return rotated;
  }

  /// The issue time of a derived key is when its signing key was replaced.
  private static boolean isOutdated(OctetSequenceKey derived, Instant now) {
    return !derived.getIssueTime().toInstant().plus(DERIVED_KEY_RETENTION).isAfter(now);
  }

  /// The key to sign with.
  ECKey current() {
    reloadIfChanged();
    return loaded.keys().getFirst();
  }

  Optional<ECKey> find(String id) {
    Optional<ECKey> existing = findLoaded(id);
    if (existing.isEmpty()) {
      reloadIfChanged();
      return findLoaded(id);
    }
    return existing;
  }

  /// The key to authenticate messages with.
  OctetSequenceKey currentDerived() {
    reloadIfChanged();
    return loaded.derived().getFirst();
  }

  /// The keys that messages are or were authenticated with, newest first.
  List<OctetSequenceKey> allDerived() {
    reloadIfChanged();
    return loaded.derived();
  }

  /// The derived keys whose ids begin with a prefix.
  List<OctetSequenceKey> findDerived(String idPrefix) {
    List<OctetSequenceKey> existing = findLoadedDerived(idPrefix);
    if (existing.isEmpty()) {
      reloadIfChanged();
      return findLoadedDerived(idPrefix);
    }
    return existing;
  }

  private List<OctetSequenceKey> findLoadedDerived(String idPrefix) {
    return loaded.derived().stream().filter(key -> key.getKeyID().startsWith(idPrefix)).toList();
  }

  private Optional<ECKey> findLoaded(String id) {
    return loaded.keys().stream().filter(key -> key.getKeyID().equals(id)).findFirst();
  }

  public int size() {
    return loaded.keys().size();
  }

  /// A file that cannot be read leaves the keys as they are: a running server continues.
  private void reloadIfChanged() {
    try {
      if (!stamp(file).equals(loaded.stamp())) {
        loaded = load(file);
      }
    } catch (IOException e) {
      LOG.warn("cannot read the signing keys in {}: {}", file, e.toString());
    }
  }

  /// The stamp is read first: a change in between is detected by the next check.
  private static Loaded load(Path file) throws IOException {
    String stamp = stamp(file);
    KeySet set = read(file);
    List<OctetSequenceKey> derived = new ArrayList<>();
    set.keys().forEach(key -> derived.add(DerivedKey.of(key, key.getIssueTime().toInstant())));
    derived.addAll(set.derived());
    return new Loaded(set.keys(), List.copyOf(derived), stamp);
  }

  private static String stamp(Path file) throws IOException {
    BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class);
    return seen.fileKey() + " " + seen.lastModifiedTime() + " " + seen.size();
  }

  private static ECKey newKey(Instant now) {
    try {
      return new ECKeyGenerator(Curve.P_256)
          .keyID(UUID.randomUUID().toString())
          .keyUse(KeyUse.SIGNATURE)
          .issueTime(Date.from(now))
          .generate();
    } catch (JOSEException e) {
      throw new IllegalStateException("this JVM cannot make P-256 keys", e);
    }
  }

  private static KeySet read(Path file) throws IOException {
    try {
      List<ECKey> keys = new ArrayList<>();
      List<OctetSequenceKey> derived = new ArrayList<>();
      for (JWK key : JWKSet.parse(Files.readString(file)).getKeys()) {
        if (key instanceof OctetSequenceKey octets) {
          derived.add(octets);
        } else {
          keys.add(key.toECKey());
        }
      }
      if (keys.isEmpty()) {
        throw new IOException("no key in " + file);
      }
      return new KeySet(keys, derived);
    } catch (ParseException | ClassCastException e) {
      throw new IOException("not a set of EC keys: " + file, e);
    }
  }

  /// A hard link, unlike a move, fails if another process has created the file in the meantime.
  private static void create(Path file, List<ECKey> keys) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Path written = write(file, keys);
    try {
      Files.createLink(file, written);
    } catch (FileAlreadyExistsException e) {
      // Another process has created the file; its key is used.
    } finally {
      Files.delete(written);
    }
    forceDirectory(file);
  }

  /// Otherwise a power failure could lose the directory entry of a file whose tokens are already issued.
  private static void forceDirectory(Path file) throws IOException {
    try (FileChannel directory =
        FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private static Path write(Path file, List<? extends JWK> keys) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID());
    String json = new JWKSet(List.<JWK>copyOf(keys)).toString(false);
    try (FileChannel channel =
        FileChannel.open(
            written,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer bytes = ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    return written;
  }
}
