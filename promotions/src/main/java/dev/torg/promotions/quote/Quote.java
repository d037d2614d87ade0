package dev.torg.promotions.quote;

import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import dev.torg.platform.OfferId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// What services cost for an offer, as shown to its seller, until the quote expires.
///
/// @param nonce distinguishes quotes that are otherwise equal
public record Quote(
    String seller, OfferId offer, List<QuoteLine> lines, Instant expiresAt, String nonce) {
  public static final Duration LIFETIME = Duration.ofMinutes(15);

  public Quote {
    lines = List.copyOf(lines);
    if (lines.isEmpty()
        || lines.stream().map(line -> line.price().currency()).distinct().count() > 1
        || lines.stream().map(QuoteLine::service).distinct().count() < lines.size()) {
      throw new IllegalArgumentException("not the lines of a quote: " + lines);
    }
  }

  public Money total() {
    return new Money(
        lines.stream().mapToLong(line -> line.price().amount()).reduce(0, Math::addExact),
        lines.getFirst().price().currency());
  }

  public List<String> services() {
    return lines.stream().map(QuoteLine::service).toList();
  }

  /// What is sold at which price: the same for all quotes that differ in their time only.
  public String content() {
    return lines.stream()
        .map(
            line ->
                String.join(
                    " ",
                    line.service(),
                    Long.toString(line.price().amount()),
                    line.price().currency(),
                    line.duration().toString()))
        .collect(Collectors.joining("\n"));
  }

  /// Refuses a quote that was given to another seller, or for another offer.
  public Quote requireFor(String caller, OfferId id) {
    if (!seller.equals(caller)) {
      throw Failure.forbidden("quote.not-yours", "the quote is another seller's");
    }
    if (!offer.equals(id)) {
      throw Failure.invalid(
          "quote.other-offer",
          "the quote is for another offer",
          "quoteToken",
          "must be the quote of this offer");
    }
    return this;
  }

  /// Refuses an expired quote.
  public Quote requireValid(Instant now) {
    if (!now.isBefore(expiresAt)) {
      throw Failure.conflict("quote.expired", "the quote has expired, request another");
    }
    return this;
  }
}
