package dev.torg.matching.engine;

/// Picks one of the valid ways to file a query by their costs: the share of offers that will probe it.
interface KeyChoice {
  KeyChoice CHEAPEST =
      (costs, count) -> {
        int best = 0;
        for (int i = 1; i < count; i++) {
          if (costs[i] < costs[best]) {
            best = i;
          }
        }
        return best;
      };

  int choose(double[] costs, int count);
}
