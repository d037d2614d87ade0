package dev.torg.matching.engine;

/// How many offers a day a query would match, the share of offers that is, and how many recent offers it was tried on.
public record MatchEstimate(double matchesPerDay, double share, int triedOn) {}
