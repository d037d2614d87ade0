package dev.torg.notifications.contacts;

import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.platform.Home;
import java.util.Optional;

/// The addresses of one kind of a person: a verified one, which is in use, and one that waits for its verification.
///
/// @param challenge of the address that waits; kept after the verification, so that a repeated request succeeds
public record StoredContact(
    String owner,
    ContactKind kind,
    Optional<Address> verified,
    Optional<Address> pending,
    CodeChallenge challenge) {
  /// @param secret of a webhook the key of its signatures; otherwise empty
  public record Address(String address, String secret) {}

  static StoredContact none(String owner, ContactKind kind) {
    return new StoredContact(owner, kind, Optional.empty(), Optional.empty(), CodeChallenge.NONE);
  }

  Home home() {
    return Home.of(owner);
  }

  boolean isEmpty() {
    return verified.isEmpty() && pending.isEmpty();
  }

  boolean hasVerified(String address) {
    return verified.filter(other -> other.address().equals(address)).isPresent();
  }

  StoredContact withPending(Address other, CodeChallenge itsChallenge) {
    return new StoredContact(owner, kind, verified, Optional.of(other), itsChallenge);
  }

  StoredContact withChallenge(CodeChallenge other) {
    return new StoredContact(owner, kind, verified, pending, other);
  }

  StoredContact withoutPending() {
    return new StoredContact(owner, kind, verified, Optional.empty(), CodeChallenge.NONE);
  }

  StoredContact withoutVerified() {
    return new StoredContact(owner, kind, Optional.empty(), pending, challenge);
  }

  /// The address that waited is the verified one.
  StoredContact verifyPending() {
    return new StoredContact(owner, kind, pending, Optional.empty(), challenge);
  }

  /// Without this address, verified or not.
  StoredContact without(String address) {
    return new StoredContact(
        owner,
        kind,
        verified.filter(other -> !other.address().equals(address)),
        pending.filter(other -> !other.address().equals(address)),
        challenge);
  }

  /// The addresses of a login after an anonymous identity was merged into it: those of the login win.
  static StoredContact merged(StoredContact login, StoredContact anonymous) {
    boolean keepsPending = login.pending().isPresent() || anonymous.pending().isEmpty();
    return new StoredContact(
        login.owner(),
        login.kind(),
        login.verified().or(anonymous::verified),
        login.pending().or(anonymous::pending),
        keepsPending ? login.challenge() : anonymous.challenge());
  }

  Optional<DeliveryTarget> target() {
    return verified.map(
        address ->
            switch (kind) {
              case EMAIL -> new DeliveryTarget.Email(address.address());
              case PHONE -> new DeliveryTarget.Phone(address.address());
              case WEBHOOK -> new DeliveryTarget.Webhook(address.address(), address.secret());
            });
  }
}
