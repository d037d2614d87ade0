package dev.torg.matching.engine;

/// The engine in numbers: live queries, those in the base (removed ones included), those added since, bytes
/// used, offers a day.
public record EngineStats(long queries, int base, int delta, long bytes, double offersPerDay) {}
