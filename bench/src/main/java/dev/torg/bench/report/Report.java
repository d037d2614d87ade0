package dev.torg.bench.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The result of a benchmark or a verification: the one shape that `--json` prints and the table shows. Values
/// are numbers, strings, booleans, or maps and lists of them, in the order of insertion.
public record Report(
    String name,
    Instant date,
    String machine,
    Map<String, Object> params,
    Map<String, Object> results,
    Map<String, Object> baselines,
    Map<String, Object> ratios,
    List<Target> targets) {

  /// A target and its result: `value` as measured, `target` as text or a number.
  public record Target(String name, Object target, Object value, boolean met) {}

  public Report {
    params = ordered(params);
    results = ordered(results);
    baselines = ordered(baselines);
    ratios = ordered(ratios);
    targets = List.copyOf(targets);
  }

  private static Map<String, Object> ordered(Map<String, Object> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  public static Builder of(String name, Instant date) {
    return new Builder(name, date);
  }

  public boolean allMet() {
    return targets.stream().allMatch(Target::met);
  }

  /// Collects a report during the run.
  public static final class Builder {
    private final String name;
    private final Instant date;
    private final Map<String, Object> params = new LinkedHashMap<>();
    private final Map<String, Object> results = new LinkedHashMap<>();
    private final Map<String, Object> baselines = new LinkedHashMap<>();
    private final Map<String, Object> ratios = new LinkedHashMap<>();
    private final List<Target> targets = new ArrayList<>();

    private Builder(String name, Instant date) {
      this.name = name;
      this.date = date;
    }

    public Builder param(String key, Object value) {
      params.put(key, value);
      return this;
    }

    public Builder result(String key, Object value) {
      results.put(key, value);
      return this;
    }

    public Builder baseline(String key, Object value) {
      baselines.put(key, value);
      return this;
    }

    public Builder ratio(String key, Object value) {
      ratios.put(key, value);
      return this;
    }

    public Builder atLeast(String key, double target, double value) {
      return target(key, ">= " + ReportTable.number(target), value, value >= target);
    }

    public Builder atMost(String key, double target, double value) {
      return target(key, "<= " + ReportTable.number(target), value, value <= target);
    }

    public Builder target(String key, Object target, Object value, boolean met) {
      targets.add(new Target(key, target, value, met));
      return this;
    }

    public Report build() {
      return new Report(
          name, date, Machine.describe(), params, results, baselines, ratios, targets);
    }
  }
}
