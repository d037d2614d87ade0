package dev.torg.queries;

import dev.torg.api.v1.Filter;
import dev.torg.api.v1.Money;
import dev.torg.api.v1.NumberRange;
import dev.torg.api.v1.PriceRange;
import dev.torg.api.v1.SearchQuery;
import dev.torg.matching.InvalidQuery;
import dev.torg.matching.Query;
import dev.torg.matching.QueryBuilder;
import dev.torg.platform.Failure;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Converts a query of the API to its canonical form.
public final class QueryCanonicalizer {
  /// Maximum serialized size of a query: about a hundred filters, or a page of text.
  private static final int MAX_BYTES = 20_000;

  private QueryCanonicalizer() {}

  /// Fails with INVALID and the field if the query is not valid.
  public static Query canonical(SearchQuery query) {
    if (query.getSerializedSize() > MAX_BYTES) {
      throw Failure.invalid(
          "query.invalid", "the query is not valid", "query", "at most " + MAX_BYTES + " bytes");
    }
    try {
      return build(query);
    } catch (InvalidQuery e) {
      String field = e.field().equals("query") ? "query" : "query." + e.field();
      throw Failure.invalid("query.invalid", "the query is not valid", field, messageOf(e));
    } catch (ArithmeticException | NumberFormatException e) {
      throw Failure.invalid(
          "query.invalid", "the query is not valid", "query.filters", "not a number");
    }
  }

  private static String messageOf(InvalidQuery e) {
    String message = e.getMessage();
    return message == null ? "is not valid" : message;
  }

  private static Query build(SearchQuery query) {
    QueryBuilder builder = Query.builder();
    if (!query.getCategory().isEmpty()) {
      builder.category(query.getCategory());
    }
    query.getRegionsList().forEach(builder::region);
    if (query.hasPrice()) {
      price(builder, query.getPrice());
    }
    builder.text(query.getText());
    if (!query.getSellerId().isEmpty()) {
      builder.seller(query.getSellerId());
    }
    query.getFiltersList().forEach(filter -> filter(builder, filter));
    return builder.withPhotos(query.getWithPhotos()).build();
  }

  private static void price(QueryBuilder builder, PriceRange price) {
    if (!price.hasFrom() && !price.hasTo()) {
      return;
    }
    String currency = (price.hasFrom() ? price.getFrom() : price.getTo()).getCurrency();
    if (price.hasFrom() && price.hasTo() && !price.getTo().getCurrency().equals(currency)) {
      throw new InvalidQuery("price", "Both ends must be in the same currency.");
    }
    builder.price(
        currency,
        price.hasFrom() ? amount(price.getFrom()) : null,
        price.hasTo() ? amount(price.getTo()) : null);
  }

  private static Long amount(Money money) {
    return money.getAmount();
  }

  private static void filter(QueryBuilder builder, Filter filter) {
    int conditions =
        (filter.getAnyOfCount() > 0 ? 1 : 0)
            + (filter.getNoneOfCount() > 0 ? 1 : 0)
            + (filter.hasRange() ? 1 : 0)
            + (filter.hasIs() ? 1 : 0);
    if (conditions != 1) {
      throw new InvalidQuery("filters", "Give exactly one of anyOf, noneOf, range, is.");
    }
    if (filter.hasRange()) {
      NumberRange range = filter.getRange();
      builder.range(
          filter.getKey(),
          range.hasFrom() ? decimal(range.getFrom()) : null,
          range.hasTo() ? decimal(range.getTo()) : null);
    } else if (filter.hasIs()) {
      builder.is(filter.getKey(), filter.getIs());
    } else if (filter.getAnyOfCount() > 0) {
      builder.anyOf(filter.getKey(), filter.getAnyOfList());
    } else {
      builder.noneOf(filter.getKey(), filter.getNoneOfList());
    }
  }

  private static @Nullable BigDecimal decimal(double value) {
    return BigDecimal.valueOf(value);
  }
}
