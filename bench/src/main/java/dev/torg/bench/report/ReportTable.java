package dev.torg.bench.report;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// A report as a small table for a terminal.
final class ReportTable {
  private final StringBuilder out = new StringBuilder();

  private ReportTable() {}

  static String of(Report report) {
    ReportTable table = new ReportTable();
    table.out.append("%s  %s  %s%n".formatted(report.name(), report.date(), report.machine()));
    table.section("params", report.params());
    table.section("results", report.results());
    table.section("baselines", report.baselines());
    table.section("ratios", report.ratios());
    table.targets(report);
    return table.out.toString();
  }

  /// Short for readability: no more than four significant digits after the point, thousands in full.
  static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return String.format(Locale.ROOT, "%d", (long) value);
    }
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%.1f" : "%.4g", value);
  }

  private void section(String title, Map<String, Object> values) {
    if (values.isEmpty()) {
      return;
    }
    out.append("%n%s%n".formatted(title));
    flatten("", values).forEach((key, value) -> out.append("  %-48s %s%n".formatted(key, value)));
  }

  private void targets(Report report) {
    if (report.targets().isEmpty()) {
      return;
    }
    out.append("%ntargets%n".formatted());
    for (Report.Target target : report.targets()) {
      out.append(
          "  %-48s %-14s %-14s %s%n"
              .formatted(
                  target.name(),
                  target.target(),
                  show(target.value()),
                  target.met() ? "met" : "NOT MET"));
    }
  }

  private static Map<String, String> flatten(String prefix, Map<?, ?> values) {
    Map<String, String> flat = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> inner) {
            flat.putAll(flatten(prefix + key + ".", inner));
          } else {
            flat.put(prefix + key, show(value));
          }
        });
    return flat;
  }

  private static String show(Object value) {
    return value instanceof Double || value instanceof Float
        ? number(((Number) value).doubleValue())
        : String.valueOf(value);
  }
}
