package dev.torg.bench.workload;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A generated search; null or empty means no condition. `text` is a line as users type it.
public record SampleSearch(
    @Nullable String category,
    List<String> regions,
    @Nullable Long priceFrom,
    @Nullable Long priceTo,
    Map<String, Range> ranges,
    Map<String, List<String>> anyOf,
    Map<String, List<String>> noneOf,
    Map<String, Boolean> flags,
    String text,
    boolean photos) {

  /// Inclusive ends; null is open.
  public record Range(@Nullable Long from, @Nullable Long to) {}
}
