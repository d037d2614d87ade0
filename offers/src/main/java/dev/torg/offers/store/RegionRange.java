package dev.torg.offers.store;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// Regions between two names, both included, as the column sorts them.
record RegionRange(String first, String last) {
  /// Sorts after everything that can follow it in a region.
  private static final String LAST = "\uDBFF\uDFFF";

  static final RegionRange ALL = new RegionRange("", LAST);

  /// Each region itself, and all that begins with it and a slash; everything where none is named.
  static List<RegionRange> of(Collection<String> regions) {
    return regions.isEmpty()
        ? List.of(ALL)
        : regions.stream().flatMap(RegionRange::withBelow).toList();
  }

  private static Stream<RegionRange> withBelow(String region) {
    return Stream.of(
        new RegionRange(region, region), new RegionRange(region + "/", region + "/" + LAST));
  }
}
