package dev.torg.promotions.payment;

import com.google.common.hash.Hashing;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.PageSize;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.promotions.CreatedPayment;
import dev.torg.promotions.NewPayment;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentStatus;
import dev.torg.promotions.PaymentUse;
import dev.torg.promotions.Payments;
import dev.torg.promotions.RefundReasons;
import dev.torg.promotions.StoredPayment;
import dev.torg.promotions.provider.Checkout;
import dev.torg.promotions.provider.CheckoutLine;
import dev.torg.promotions.provider.CheckoutRequest;
import dev.torg.promotions.provider.PaymentProvider;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Creates payments, shows them to their payers, and decides on refunds. Blocks.
public final class PaymentService implements Payments {
  private static final PageSize PAGE_SIZE = new PageSize(50, 500);
  private static final int MAX_KEY_LENGTH = 200;
  private static final int MAX_REASON_LENGTH = 200;

  private final Database database;
  private final PaymentProvider provider;
  private final PaymentHandlers handlers;
  private final PaymentNotices notices;
  private final InstantSource clock;
  private final String publicUrl;
  private final PaymentStore store = new PaymentStore();

  PaymentService(
      Database database,
      PaymentProvider provider,
      PaymentHandlers handlers,
      PaymentNotices notices,
      InstantSource clock,
      String publicUrl) {
    this.database = database;
    this.provider = provider;
    this.handlers = handlers;
    this.notices = notices;
    this.clock = clock;
    this.publicUrl = publicUrl;
  }

  /// Checks a key that a caller has chosen.
  public static String requireKey(Optional<String> key) {
    if (key.isEmpty()) {
      throw Failure.invalid(
          "payment.key-missing",
          "a payment needs an idempotency key",
          "idempotencyKey",
          "must not be empty");
    }
    if (key.get().length() > MAX_KEY_LENGTH) {
      throw Failure.invalid(
          "idempotency-key.malformed",
          "the idempotency key is too long",
          "idempotencyKey",
          "must have at most " + MAX_KEY_LENGTH + " characters");
    }
    return key.get();
  }

  /// The payment exists here before it is created at the provider. A crash between the two leaves a payment that cannot
  /// have been paid, because its address was not returned; the same request continues it.
  @Override
  public CreatedPayment create(NewPayment payment) {
    byte[] hash = hash(payment.request());
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    PaymentRow row = twice(() -> insert(payment, hash, now));
    StoredPayment stored = row.payment();
    Optional<String> url = stored.url();
    return new CreatedPayment(
        stored.id(), url.isPresent() ? url.get() : checkout(stored), stored.total());
  }

  private PaymentRow insert(NewPayment payment, byte[] hash, Instant now) {
    return database.inTransaction(
        tx -> {
          if (!store.insert(tx, payment, provider.name(), hash, now)) {
            requireSame(tx, payment.id(), hash);
          }
          return required(store.find(tx, List.of(payment.id())), payment.id());
        });
  }

  private void requireSame(Tx tx, PaymentId id, byte[] hash) throws SQLException {
    byte[] stored = store.requestHash(tx, id).orElseThrow();
    if (!Arrays.equals(stored, hash)) {
      throw Failure.conflict(
          "idempotency-key.reused", "the idempotency key was used for another payment");
    }
  }

  private String checkout(StoredPayment payment) {
    Checkout checkout =
        provider.createCheckout(
            new CheckoutRequest(
                payment.id(),
                payment.total(),
                payment.lines().stream()
                    .map(line -> new CheckoutLine(line.label(), line.amount()))
                    .toList(),
                payment.description(),
                publicUrl.isEmpty() ? "" : publicUrl + "/my/payments/" + payment.id()));
    return twice(() -> store(payment.id(), checkout));
  }

  /// Returns the address: that of a concurrent request, if it was first.
  private String store(PaymentId id, Checkout checkout) {
    return database.inTransaction(
        tx -> {
          Instant now = clock.instant();
          PaymentInTransaction payment = required(store.lock(tx, List.of(id), now), id);
          if (payment.payment().url().isEmpty()) {
            payment.checkout(
                checkout.providerReference(),
                checkout.paymentUrl(),
                now.plus(CheckPaymentsJob.FIRST_CHECK));
            store.write(tx, List.of(payment), now);
          }
          return payment.payment().url().orElseThrow();
        });
  }

  /// What can be repeated is repeated once if the response to COMMIT was lost.
  private static <T> T twice(Supplier<T> transaction) {
    try {
      return transaction.get();
    } catch (CommitUnknown e) {
      return transaction.get();
    }
  }

  @Override
  public Optional<StoredPayment> find(PaymentId id) {
    return Optional.ofNullable(database.read(tx -> store.find(tx, List.of(id))).get(id))
        .map(PaymentRow::payment);
  }

  /// A payment of the caller or, for admins, of anyone.
  public StoredPayment get(Caller caller, PaymentId id) {
    return find(id)
        .filter(payment -> payment.payer().equals(caller.subject()) || caller.has(Role.ADMIN))
        .orElseThrow(PaymentService::notFound);
  }

  /// The caller's payments, newest first.
  public PaymentPage list(Caller caller, int pageSize, String pageToken) {
    int size = PAGE_SIZE.of(pageSize);
    PaymentCursor before = PaymentCursor.parse(pageToken);
    List<StoredPayment> found =
        database.read(tx -> store.list(tx, caller.subject(), before, size + 1));
    if (found.size() <= size) {
      return new PaymentPage(found, "");
    }
    List<StoredPayment> page = found.subList(0, size);
    return new PaymentPage(page, PaymentCursor.after(page.getLast()).token());
  }

  @Override
  public void use(Tx tx, PaymentUse use) throws SQLException {
    Instant now = clock.instant();
    PaymentInTransaction payment = required(store.lock(tx, List.of(use.id()), now), use.id());
    StoredPayment stored = payment.payment();
    boolean matches =
        stored.status() == PaymentStatus.PAID
            && stored.payer().equals(use.payer())
            && stored.purpose().equals(use.purpose())
            && stored.reference().equals(use.reference())
            && stored.total().equals(use.total());
    if (!matches) {
      throw Failure.conflict("payment.not-usable", "the payment does not pay for this");
    }
    payment.use("used");
    store.write(tx, List.of(payment), now);
  }

  @Override
  public void refund(Tx tx, PaymentId id, String reason) throws SQLException {
    Instant now = clock.instant();
    PaymentInTransaction payment = required(store.lock(tx, List.of(id), now), id);
    switch (payment.status()) {
      case REFUND_DUE, REFUNDED -> {}
      case PAID -> {
        payment.refund(reason, "refund");
        store.write(tx, List.of(payment), now);
      }
      case PENDING, DECLINED, APPLIED -> throw notRefundable();
    }
  }

  /// An admin's refund: takes back what the payment has delivered. Repeating it has no further effect.
  public StoredPayment refund(PaymentId id, String reason, Caller admin) {
    String shown = reason.isBlank() ? RefundReasons.BY_ADMIN : requireReason(reason);
    return twice(
        () ->
            database.inTransaction(
                tx -> {
                  Instant now = clock.instant();
                  PaymentInTransaction payment =
                      Optional.ofNullable(store.lock(tx, List.of(id), now).get(id))
                          .orElseThrow(PaymentService::notFound);
                  if (payment.status() != PaymentStatus.REFUND_DUE
                      && payment.status() != PaymentStatus.REFUNDED) {
                    takeBack(tx, payment, shown, admin, now);
                  }
                  return payment.payment();
                }));
  }

  private void takeBack(
      Tx tx, PaymentInTransaction payment, String reason, Caller admin, Instant now)
      throws SQLException {
    if (!payment.isRefundable()) {
      throw notRefundable();
    }
    if (payment.status() == PaymentStatus.APPLIED) {
      handlers.takeBack(tx, payment.payment(), now);
    }
    payment.refund(reason, "refund by " + admin.subject());
    store.write(tx, List.of(payment), now);
    notices.write(tx, List.of(payment), now);
  }

  private static String requireReason(String reason) {
    if (reason.codePointCount(0, reason.length()) > MAX_REASON_LENGTH
        || reason.chars().anyMatch(Character::isISOControl)) {
      throw Failure.invalid(
          "payment.reason",
          "bad reason",
          "reason",
          "must be a line of at most " + MAX_REASON_LENGTH + " characters");
    }
    return reason;
  }

  private static byte[] hash(String request) {
    return Hashing.sha256().hashString(request, StandardCharsets.UTF_8).asBytes();
  }

  private static <T> T required(Map<PaymentId, T> found, PaymentId id) {
    return Optional.ofNullable(found.get(id)).orElseThrow(PaymentService::notFound);
  }

  private static Failure notFound() {
    return Failure.notFound("payment.not-found", "there is no such payment");
  }

  private static Failure notRefundable() {
    return Failure.conflict(
        "payment.not-refundable", "nothing of the payment can be returned in its status");
  }
}
