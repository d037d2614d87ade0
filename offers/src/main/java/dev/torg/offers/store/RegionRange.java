package dev.torg.offers.store;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// A range of regions, both ends included, in the column's sort order.
record RegionRange(String first, String last) {
  /// Sorts after every character that a region can contain.
  private static final String LAST = "\uDBFF\uDFFF";

  static final RegionRange ALL = new RegionRange("", LAST);

  /// The ranges of the regions and their subregions; everything if no region is given.
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
