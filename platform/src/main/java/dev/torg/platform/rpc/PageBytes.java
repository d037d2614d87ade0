package dev.torg.platform.rpc;

import java.util.List;
import java.util.function.ToIntFunction;

/// Ends a page of a list before its response becomes too large: a list of the longest texts has shorter pages, and not
/// a failure.
public final class PageBytes {
  /// Of a page in protobuf. As JSON a text takes at most six times as much, which is still a response.
  static final int MAX_PAGE_BYTES = 1 << 20;

  private PageBytes() {}

  /// How many of the first items make a page: at least one, if there is any.
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
