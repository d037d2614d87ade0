package dev.torg.platform;

/// The page size of a list request: 0 means the default, anything outside 1 to the maximum is refused.
public record PageSize(int defaultSize, int max) {
  public int of(int requested) {
    if (requested < 0 || requested > max) {
      throw Failure.invalid(
          "page.size", "bad page size", "pageSize", "must be between 1 and " + max);
    }
    return requested == 0 ? defaultSize : requested;
  }
}
