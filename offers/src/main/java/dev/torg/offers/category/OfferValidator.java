package dev.torg.offers.category;

import dev.torg.api.v1.Offer;
import dev.torg.platform.Failure;
import dev.torg.platform.Money;
import java.util.Arrays;
import java.util.Optional;

/// Checks an offer against the limits of all offers and its category's schema. Reports all violations at
/// once, each with its path in the request.
public final class OfferValidator {
  /// Maximum serialized size of an offer's content.
  public static final int MAX_BYTES = 100_000;

  static final int MIN_TITLE = 3;
  static final int MAX_TITLE = 200;
  static final int MAX_DESCRIPTION = 40_000;
  static final int MAX_EXTERNAL_ID = 200;
  static final int MAX_REGION = 200;

  private final Categories categories;

  public OfferValidator(Categories categories) {
    this.categories = categories;
  }

  /// Checks content that is to be published.
  public ValidatedOffer check(Offer content) {
    Violations violations = new Violations("offer.");
    checkSize(content, violations);
    Optional<CategoryNode> category = category(content, violations);
    checkTitle(content.getTitle(), violations);
    checkTexts(content, violations);
    checkRegion(content.getRegion(), violations);
    checkPrice(content, violations);
    category.ifPresent(
        c -> new AttributeValidator(c, violations).check(content.getAttributesMap()));
    violations.refuse();
    return new ValidatedOffer(content, category.orElseThrow());
  }

  /// A draft may be incomplete, but it must be within the limits, readable, and in an existing category.
  public void checkDraft(Offer content) {
    Violations violations = new Violations("offer.");
    checkSize(content, violations);
    if (!content.getCategory().isEmpty()) {
      category(content, violations);
    }
    violations.textUpTo("title", content.getTitle(), MAX_TITLE);
    violations.textUpTo("region", content.getRegion(), MAX_REGION);
    checkTexts(content, violations);
    content
        .getAttributesMap()
        .forEach((key, value) -> AttributeValidator.readable(key, value, violations));
    violations.refuse();
  }

  /// Empty for an unknown category.
  public Optional<CategoryNode> category(String id) {
    return categories.find(id);
  }

  /// Fails if the category does not exist.
  public void checkCategory(String id) {
    if (categories.find(id).isEmpty()) {
      throw Failure.invalid(
          "category.unknown", "no such category", "category", "'" + id + "' does not exist");
    }
  }

  private static void checkSize(Offer content, Violations violations) {
    if (content.getSerializedSize() > MAX_BYTES) {
      violations.add("", "is larger than " + MAX_BYTES + " bytes");
    }
  }

  private Optional<CategoryNode> category(Offer content, Violations violations) {
    if (content.getCategory().isEmpty()) {
      violations.add("category", "is required");
      return Optional.empty();
    }
    Optional<CategoryNode> category = categories.find(content.getCategory());
    if (category.isEmpty()) {
      violations.add("category", "does not exist");
    }
    return category;
  }

  private static void checkTitle(String title, Violations violations) {
    String stripped = title.strip();
    int length = stripped.codePointCount(0, stripped.length());
    if (length < MIN_TITLE || title.codePointCount(0, title.length()) > MAX_TITLE) {
      violations.add("title", "must have " + MIN_TITLE + " to " + MAX_TITLE + " characters");
    }
    violations.line("title", title);
  }

  private static void checkTexts(Offer content, Violations violations) {
    violations.textUpTo("description", content.getDescription(), MAX_DESCRIPTION);
    violations.textUpTo("externalId", content.getExternalId(), MAX_EXTERNAL_ID);
    violations.line("externalId", content.getExternalId());
  }

  private static void checkRegion(String region, Violations violations) {
    violations.textUpTo("region", region, MAX_REGION);
    if (!region.isEmpty() && !isRegion(region)) {
      violations.add(
          "region",
          "must be a path of lower-case segments like de/hessen/65474, each beginning with a letter"
              + " or digit");
    }
  }

  /// Whether the text is a path like `de/hessen/65474`.
  public static boolean isRegion(String region) {
    return Arrays.stream(region.split("/", -1)).allMatch(OfferValidator::isSegment);
  }

  /// Not empty, `.` or `..`, which would change the meaning of a URL path that contains the region.
  private static boolean isSegment(String segment) {
    return !segment.isEmpty()
        && isLowerCase(segment.codePointAt(0))
        && segment.codePoints().allMatch(c -> isLowerCase(c) || c == '-' || c == '_' || c == '.');
  }

  private static boolean isLowerCase(int c) {
    return Character.isLetterOrDigit(c) && Character.toLowerCase(c) == c;
  }

  private static void checkPrice(Offer content, Violations violations) {
    if (content.hasPrice()) {
      var price = content.getPrice();
      Money.violations("price.", price.getAmount(), price.getCurrency())
          .forEach(violation -> violations.add(violation.field(), violation.message()));
    }
  }
}
