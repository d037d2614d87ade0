package dev.torg.alerts.engine;

import dev.torg.matching.SearchId;
import dev.torg.matching.engine.Engine;

/// All saved searches that have reached this process.
public interface EngineView {
  Engine engine();

  /// Whether the search was announced so recently that another process may not know it.
  boolean isRecent(SearchId id);
}
