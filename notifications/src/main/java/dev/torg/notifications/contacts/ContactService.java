package dev.torg.notifications.contacts;

import dev.torg.notifications.RecipientSettings;
import dev.torg.notifications.bell.BellStore;
import dev.torg.notifications.channel.ChannelSender;
import dev.torg.notifications.channel.DeliveryOutcome;
import dev.torg.notifications.channel.DeliveryOutcome.Delivered;
import dev.torg.notifications.channel.DeliveryOutcome.Refused;
import dev.torg.notifications.channel.DeliveryOutcome.Rejected;
import dev.torg.notifications.channel.DeliveryOutcome.TargetGone;
import dev.torg.notifications.channel.DeliveryOutcome.Unknown;
import dev.torg.notifications.channel.DeliveryTarget;
import dev.torg.notifications.contacts.StoredContact.Address;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.net.PublicHostResolver;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/// Sets, verifies, lists and removes the addresses of people. A message is sent after its address and code were
/// committed, outside the transaction. Blocks.
public final class ContactService {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String CODE_PURPOSE = "contact-code";
  private static final int CODES = 1_000_000;

  /// As Standard Webhooks recommends: 24 to 64.
  private static final int SECRET_BYTES = 32;

  private final Database database;
  private final InstantSource clock;
  private final ContactAddresses addresses;
  private final MessageAuthenticator authenticator;
  private final RecipientSettings settings;
  private final VerificationMessages messages;
  private final VerificationQuotas quotas;
  private final ContactStore store = new ContactStore();
  private final BellStore bells = new BellStore();

  public ContactService(
      Database database,
      InstantSource clock,
      Collection<ChannelSender> senders,
      PublicHostResolver hosts,
      MessageAuthenticator authenticator,
      RecipientSettings settings) {
    this.database = database;
    this.clock = clock;
    this.authenticator = authenticator;
    this.settings = settings;
    this.addresses = new ContactAddresses(hosts);
    this.messages = new VerificationMessages(senders);
    this.quotas = new VerificationQuotas(database, clock);
  }

  /// An address as its owner sees it.
  ///
  /// @param secret of a webhook, only in the result of [#put]
  public record ContactView(ContactKind kind, String address, boolean verified, String secret) {
    static ContactView of(ContactKind kind, Address address, boolean verified) {
      return new ContactView(kind, address.address(), verified, "");
    }
  }

  /// What a code did, and the addresses afterwards.
  private record CodeResult(CodeDecision decision, StoredContact contact) {}

  public ContactView put(String owner, ContactKind kind, String requested) {
    String address = addresses.normal(kind, requested);
    if (kind != ContactKind.WEBHOOK && keepVerified(owner, kind, address)) {
      return new ContactView(kind, address, true, "");
    }
    messages.requireSender(kind);
    quotas.spend(owner, kind, address);
    return kind == ContactKind.WEBHOOK ? putWebhook(owner, address) : putCode(owner, kind, address);
  }

  /// Whether the address is verified already; then no other one waits any more.
  private boolean keepVerified(String owner, ContactKind kind, String address) {
    return database.inTransaction(
        tx -> {
          StoredContact contact = lock(tx, owner, kind);
          boolean isVerified = contact.hasVerified(address);
          if (isVerified && contact.pending().isPresent()) {
            store.put(tx, contact.withoutPending());
          }
          return isVerified;
        });
  }

  private ContactView putCode(String owner, ContactKind kind, String address) {
    String code = "%06d".formatted(RANDOM.nextInt(CODES));
    CodeChallenge challenge = challenge(kind, code);
    Address pending = new Address(address, "");
    Locale language = putPending(owner, kind, pending, challenge);
    DeliveryTarget target = target(kind, pending);
    requireSent(messages.sendCode(owner, target, challenge.version(), code, language));
    return ContactView.of(kind, pending, false);
  }

  private CodeChallenge challenge(ContactKind kind, String code) {
    long version = RANDOM.nextLong();
    String hash = authenticator.code(CODE_PURPOSE, codeText(kind, version, code));
    return new CodeChallenge(version, hash, clock.instant().plus(CodeChallenge.LIFETIME), 0);
  }

  private static String codeText(ContactKind kind, long version, String code) {
    return kind + "\n" + version + "\n" + code;
  }

  /// Returns the person's language.
  private Locale putPending(
      String owner, ContactKind kind, Address pending, CodeChallenge challenge) {
    return database.inTransaction(
        tx -> {
          store.put(tx, lock(tx, owner, kind).withPending(pending, challenge));
          var ofOwner = settings.of(tx, Set.of(owner));
          return Locale.of(Objects.requireNonNull(ofOwner.get(owner)).getLanguage());
        });
  }

  private static DeliveryTarget target(ContactKind kind, Address address) {
    return switch (kind) {
      case EMAIL -> new DeliveryTarget.Email(address.address());
      case PHONE -> new DeliveryTarget.Phone(address.address());
      case WEBHOOK -> new DeliveryTarget.Webhook(address.address(), address.secret());
    };
  }

  private static void requireSent(DeliveryOutcome outcome) {
    switch (outcome) {
      case Delivered _, Unknown _ -> {}
      case Refused _ ->
          throw Failure.unavailable(
              "contact.code-not-sent", "the code could not be sent, try again", null);
      case Rejected _, TargetGone _ ->
          throw Failure.invalid(
              "contact.refused", "the address is refused", "address", "cannot be delivered to");
    }
  }

  /// The receiver may not know the secret yet and refuse the call; [#verify] repeats it.
  private ContactView putWebhook(String owner, String url) {
    byte[] key = new byte[SECRET_BYTES];
    RANDOM.nextBytes(key);
    Address pending = new Address(url, "whsec_" + Base64.getEncoder().encodeToString(key));
    CodeChallenge challenge =
        new CodeChallenge(RANDOM.nextLong(), "", clock.instant().plus(CodeChallenge.LIFETIME), 0);
    putPending(owner, ContactKind.WEBHOOK, pending, challenge);
    boolean verified = call(owner, pending, challenge) && verifyWebhook(owner, challenge.version());
    return new ContactView(ContactKind.WEBHOOK, url, verified, pending.secret());
  }

  private boolean call(String owner, Address webhook, CodeChallenge challenge) {
    DeliveryTarget target = target(ContactKind.WEBHOOK, webhook);
    return messages.callWebhook(owner, target, challenge.version()) instanceof Delivered;
  }

  /// Whether the webhook that was called is still the one that waits.
  private boolean verifyWebhook(String owner, long version) {
    return database.inTransaction(
        tx -> {
          StoredContact contact = lock(tx, owner, ContactKind.WEBHOOK);
          boolean isSame = contact.challenge().version() == version;
          if (isSame && contact.pending().isPresent()) {
            store.put(tx, contact.verifyPending());
          }
          return isSame;
        });
  }

  public ContactView verify(String owner, ContactKind kind, String code) {
    return kind == ContactKind.WEBHOOK
        ? repeatCall(owner)
        : verified(database.inTransaction(tx -> tryCode(tx, owner, kind, code.strip())));
  }

  /// A wrong code is counted, so the transaction commits.
  private CodeResult tryCode(Tx tx, String owner, ContactKind kind, String code)
      throws SQLException {
    StoredContact contact = lock(tx, owner, kind);
    CodeChallenge challenge = contact.challenge();
    boolean isRight =
        authenticator.isValid(
            CODE_PURPOSE, codeText(kind, challenge.version(), code), challenge.codeHash());
    CodeDecision decision = CodeDecision.of(contact, isRight, clock.instant());
    StoredContact after =
        switch (decision) {
          case VERIFIED -> contact.verifyPending();
          case WRONG -> contact.withChallenge(challenge.withWrongCode());
          case REPEATED, EXPIRED, SPENT, NOTHING_TO_VERIFY -> contact;
        };
    if (!after.equals(contact)) {
      store.put(tx, after);
    }
    return new CodeResult(decision, after);
  }

  private static ContactView verified(CodeResult result) {
    return switch (result.decision()) {
      case VERIFIED, REPEATED ->
          ContactView.of(result.contact().kind(), result.contact().verified().orElseThrow(), true);
      case WRONG ->
          throw Failure.invalid("contact.code-wrong", "the code is wrong", "code", "is wrong");
      case EXPIRED ->
          throw Failure.conflict(
              "contact.code-expired", "the code has expired; set the address again");
      case SPENT ->
          throw Failure.conflict(
              "contact.code-spent", "too many wrong codes; set the address again");
      case NOTHING_TO_VERIFY -> throw nothingToVerify();
    };
  }

  private ContactView repeatCall(String owner) {
    StoredContact contact = database.read(tx -> store.read(tx, owner, ContactKind.WEBHOOK));
    if (contact.pending().isEmpty()) {
      Address verified = contact.verified().orElseThrow(ContactService::nothingToVerify);
      return ContactView.of(ContactKind.WEBHOOK, verified, true);
    }
    Address webhook = contact.pending().get();
    messages.requireSender(ContactKind.WEBHOOK);
    quotas.spend(owner, ContactKind.WEBHOOK, webhook.address());
    if (!call(owner, webhook, contact.challenge())) {
      throw Failure.conflict(
          "contact.webhook-failed", "the webhook did not respond with 2xx to the signed call");
    }
    if (!verifyWebhook(owner, contact.challenge().version())) {
      throw Failure.conflict("contact.changed", "the address was changed meanwhile");
    }
    return ContactView.of(ContactKind.WEBHOOK, webhook, true);
  }

  private static Failure nothingToVerify() {
    return Failure.notFound("contact.nothing-to-verify", "no address waits for its verification");
  }

  /// By kind; of each the verified address first.
  public List<ContactView> list(String owner) {
    return database.read(tx -> store.read(tx, List.of(owner))).stream()
        .<ContactView>mapMulti(
            (contact, views) -> {
              contact
                  .verified()
                  .ifPresent(
                      address -> views.accept(ContactView.of(contact.kind(), address, true)));
              contact
                  .pending()
                  .ifPresent(
                      address -> views.accept(ContactView.of(contact.kind(), address, false)));
            })
        .toList();
  }

  /// Removes one address, or with an empty one all of the kind.
  public void delete(String owner, ContactKind kind, String requested) {
    String address = ContactAddresses.normalOrSame(kind, requested);
    database.transact(
        tx -> {
          StoredContact contact = lock(tx, owner, kind);
          store.put(
              tx, address.isEmpty() ? StoredContact.none(owner, kind) : contact.without(address));
        });
  }

  /// The person's addresses of a kind, locked until the transaction ends. Fails if the person has moved to a login.
  private StoredContact lock(Tx tx, String owner, ContactKind kind) throws SQLException {
    bells
        .lockAndAllocateIds(tx, Set.of(owner), EpochMicros.of(clock.instant()), 1)
        .values()
        .forEach(BellStore.LockedBell::requireNotMerged);
    return store.read(tx, owner, kind);
  }
}
