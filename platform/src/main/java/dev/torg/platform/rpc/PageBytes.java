package dev.torg.platform.rpc;

import java.util.List;
import java.util.function.ToIntFunction;

/// Ends a page of a list before its response becomes too large: long items give shorter pages
/// instead of a failure.
public final class PageBytes {
  /// Bytes of a page in protobuf. As JSON a text takes at most six times as much, which is still
  /// within the limit of a response.
  static final int MAX_PAGE_BYTES = 1 << 20;

  private PageBytes() {}

  /// The number of leading items that fit a page: at least one, if there is any.
  public static <T> int fitting(List<T> items, ToIntFunction<T> bytes) {
    long sum = 0;
    for (int i = 0; i < items.size(); i++) {
      sum += bytes.applyAsInt(items.get(i));
      if (i > 0 && sum > MAX_PAGE_BYTES) {
        return i;
      }
    }
    return items.size();
  }
}
