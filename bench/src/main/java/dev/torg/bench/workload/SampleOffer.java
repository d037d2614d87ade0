package dev.torg.bench.workload;

import java.util.List;
import java.util.Map;

/// A generated offer. Prices are minor units of [AdWorld#CURRENCY].
public record SampleOffer(
    String seller,
    List<String> categoryPath,
    String region,
    long price,
    Map<String, Long> numbers,
    Map<String, String> values,
    Map<String, Boolean> flags,
    boolean photos,
    String title,
    String description) {}
