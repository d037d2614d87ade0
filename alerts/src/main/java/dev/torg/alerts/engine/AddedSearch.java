package dev.torg.alerts.engine;

import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.time.Instant;

/// A search that has just reached the engine, and when it was announced.
public record AddedSearch(SearchId id, Query query, Instant at) {}
