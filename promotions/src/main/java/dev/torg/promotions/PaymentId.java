package dev.torg.promotions;

import com.google.common.hash.Hashing;
import com.google.common.io.BaseEncoding;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Three digits, the home of the payment, and 26 characters: 130 bits of a hash of caller, purpose and idempotency key.
/// The same request always has the same id, and a webhook finds the home of its payment without a lookup.
public record PaymentId(String text) implements Comparable<PaymentId> {
  private static final int HOME_DIGITS = 3;
  private static final int HASH_CHARS = 26;
  private static final Pattern FORM =
      Pattern.compile("[0-9]{" + HOME_DIGITS + "}[a-z2-7]{" + HASH_CHARS + "}");
  private static final BaseEncoding BASE_32 = BaseEncoding.base32().lowerCase().omitPadding();

  public PaymentId {
    if (!isValid(text)) {
      throw Failure.invalid(
          "payment-id.malformed",
          "not the id of a payment",
          "id",
          "must be as the API returned it");
    }
  }

  public static PaymentId of(Home home, String caller, String purpose, String idempotencyKey) {
    byte[] hash =
        Hashing.sha256()
            .newHasher()
            .putInt(caller.length())
            .putUnencodedChars(caller)
            .putInt(purpose.length())
            .putUnencodedChars(purpose)
            .putString(idempotencyKey, StandardCharsets.UTF_8)
            .hash()
            .asBytes();
    return new PaymentId(
        "%03d%s".formatted(home.number(), BASE_32.encode(hash).substring(0, HASH_CHARS)));
  }

  public static boolean isValid(String text) {
    return FORM.matcher(text).matches() && homeNumber(text) < Home.COUNT;
  }

  private static int homeNumber(String text) {
    return Integer.parseInt(text, 0, HOME_DIGITS, 10);
  }

  public Home home() {
    return new Home(homeNumber(text));
  }

  @Override
  public int compareTo(PaymentId other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
