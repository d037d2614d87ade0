package dev.torg.favorites.write;

import dev.torg.favorites.FavoriteKind;
import dev.torg.platform.Home;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A row of `favorite`. `delivery` is a number of the API's enum, 0 where nothing is delivered. Collections
/// have a `size`, offers a price hash and version, searches and collections a `name`. The body is the
/// message of the kind.
@SuppressWarnings("ArrayRecordComponent") // Read and written as it is.
public record FavoriteRow(
    FavoriteKey key,
    Instant createdAt,
    int delivery,
    int size,
    long priceHash,
    long priceVersion,
    int newMatches,
    @Nullable Instant lastNotifiedAt,
    String name,
    byte[] body) {

  public static final byte[] EMPTY = {};

  public static FavoriteRow of(FavoriteKey key, Instant createdAt) {
    return new FavoriteRow(key, createdAt, 0, 0, 0, 0, 0, null, "", EMPTY);
  }

  public Home home() {
    return key.home();
  }

  public String owner() {
    return key.owner();
  }

  public FavoriteKind kind() {
    return key.kind();
  }

  public String id() {
    return key.id();
  }

  public FavoriteRow createdAt(Instant at) {
    return new FavoriteRow(
        key, at, delivery, size, priceHash, priceVersion, newMatches, lastNotifiedAt, name, body);
  }

  public FavoriteRow size(int count) {
    return new FavoriteRow(
        key,
        createdAt,
        delivery,
        count,
        priceHash,
        priceVersion,
        newMatches,
        lastNotifiedAt,
        name,
        body);
  }

  public FavoriteRow price(long hash, long version) {
    return new FavoriteRow(
        key, createdAt, delivery, size, hash, version, newMatches, lastNotifiedAt, name, body);
  }

  public FavoriteRow named(String newName) {
    return new FavoriteRow(
        key,
        createdAt,
        delivery,
        size,
        priceHash,
        priceVersion,
        newMatches,
        lastNotifiedAt,
        newName,
        body);
  }

  public FavoriteRow delivered(int delivery, byte[] newBody) {
    return new FavoriteRow(
        key,
        createdAt,
        delivery,
        size,
        priceHash,
        priceVersion,
        newMatches,
        lastNotifiedAt,
        name,
        newBody);
  }

  public FavoriteRow seen() {
    return new FavoriteRow(
        key, createdAt, delivery, size, priceHash, priceVersion, 0, lastNotifiedAt, name, body);
  }

  /// The same under another owner.
  public FavoriteRow of(String owner) {
    return new FavoriteRow(
        key.of(owner),
        createdAt,
        delivery,
        size,
        priceHash,
        priceVersion,
        newMatches,
        lastNotifiedAt,
        name,
        body);
  }
}
