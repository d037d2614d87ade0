package dev.torg.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/// A report as exactly one JSON object, fields in their documented order.
final class ReportJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ReportJson() {}

  static String of(Report report) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", report.name());
    json.put("date", report.date().toString());
    json.put("machine", report.machine());
    json.put("params", report.params());
    json.put("results", report.results());
    json.put("baselines", report.baselines());
    json.put("ratios", report.ratios());
    json.put("targets", report.targets().stream().map(ReportJson::target).toList());
    try {
      return MAPPER.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(
          "report " + report.name() + " contains a value that JSON cannot represent", e);
    }
  }

  private static Map<String, Object> target(Report.Target target) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", target.name());
    json.put("target", target.target());
    json.put("value", target.value());
    json.put("met", target.met());
    return json;
  }
}
