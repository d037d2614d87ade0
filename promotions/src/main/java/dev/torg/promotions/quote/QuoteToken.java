package dev.torg.promotions.quote;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import dev.torg.platform.identity.MessageAuthenticator;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// A quote as text, which only this installation can create: its fields in base64url, a dot and their code.
///
///     user:42 ⏎ offer ⏎ expiry in milliseconds ⏎ nonce ⏎ currency ⏎ service amount seconds ⏎ …
public final class QuoteToken {
  private static final String PURPOSE = "promotion-quote";

  /// A subject has at most 136 characters, and each of at most 20 services about 70.
  public static final int MAX_LENGTH = 4_000;

  private static final int FIRST_LINE = 5;
  private static final int LINE_PARTS = 3;

  private QuoteToken() {}

  public static String sign(MessageAuthenticator authenticator, Quote quote) {
    String content =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(text(quote).getBytes(StandardCharsets.UTF_8));
    return content + "." + authenticator.code(PURPOSE, content);
  }

  /// The quote of a token that this installation created, or INVALID. The caller checks for whom it is and whether it
  /// has expired ([Quote#requireFor], [Quote#requireValid]).
  public static Quote verify(MessageAuthenticator authenticator, String token) {
    int dot = token.indexOf('.');
    if (token.length() > MAX_LENGTH || dot < 1) {
      throw invalid();
    }
    String content = token.substring(0, dot);
    if (!authenticator.isValid(PURPOSE, content, token.substring(dot + 1))) {
      throw invalid();
    }
    return parse(content);
  }

  private static String text(Quote quote) {
    List<String> fields = new ArrayList<>();
    fields.add(quote.seller());
    fields.add(quote.offer().toString());
    fields.add(Long.toString(quote.expiresAt().toEpochMilli()));
    fields.add(quote.nonce());
    fields.add(quote.total().currency());
    quote.lines().forEach(line -> fields.add(text(line)));
    return String.join("\n", fields);
  }

  private static String text(QuoteLine line) {
    return line.service() + " " + line.price().amount() + " " + line.duration().toSeconds();
  }

  /// A code does not prove the form: another version of Torg may have signed another one.
  private static Quote parse(String content) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(content), StandardCharsets.UTF_8);
      String[] fields = text.split("\n", -1);
      if (fields.length <= FIRST_LINE) {
        throw invalid();
      }
      return new Quote(
          fields[0],
          OfferId.parse(fields[1]),
          Arrays.stream(fields).skip(FIRST_LINE).map(line -> line(line, fields[4])).toList(),
          Instant.ofEpochMilli(Long.parseLong(fields[2])),
          fields[3]);
    } catch (Failure | IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw invalid();
    }
  }

  private static QuoteLine line(String text, String currency) {
    String[] parts = text.split(" ", -1);
    if (parts.length != LINE_PARTS) {
      throw invalid();
    }
    return new QuoteLine(
        parts[0],
        new Money(Long.parseLong(parts[1]), currency),
        Duration.ofSeconds(Long.parseLong(parts[2])));
  }

  private static Failure invalid() {
    return Failure.invalid(
        "quote.invalid",
        "the quote is incomplete or was altered",
        "quoteToken",
        "must be the token of a quote");
  }
}
