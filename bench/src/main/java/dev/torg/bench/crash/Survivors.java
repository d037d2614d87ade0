package dev.torg.bench.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.platform.Failure;
import java.util.Map;
import java.util.SortedMap;

/// Compares what was acknowledged with what exists after the last start.
final class Survivors {
  private final WriteLedger ledger;

  Survivors(WriteLedger ledger) {
    this.ledger = ledger;
  }

  /// Offers that are missing, older than acknowledged, or unreadable.
  long lostOrOld(ApiClient anonymous) {
    return ledger.offers().stream().filter(id -> !isThere(anonymous, id)).count();
  }

  /// Acknowledged versions whose event is not in the topic, or has other contents.
  long missingEvents(TopicReading topic) {
    long missing = 0;
    for (String id : ledger.offers()) {
      Map<Long, String> events = topic.versionsOf(id);
      missing +=
          ledger.versions(id).entrySet().stream()
              .filter(write -> !write.getValue().equals(events.get(write.getKey())))
              .count();
    }
    return missing;
  }

  /// Sellers whose count of active offers differs from their list.
  long wrongCounts(ApiClient anonymous) {
    long wrong = 0;
    for (int i = 0; i < Writers.sellers(); i++) {
      wrong += countsAreExact(anonymous.loggedInAs(Writers.seller(i))) ? 0 : 1;
    }
    return wrong;
  }

  /// Whether the offer is as last acknowledged, or a later version whose response was lost by the
  /// kill.
  private boolean isThere(ApiClient anonymous, String id) {
    JsonNode offer;
    try {
      offer = anonymous.get("/v1/offers/" + id);
    } catch (Failure e) {
      return false;
    }
    SortedMap<Long, String> acknowledged = ledger.versions(id);
    long version = offer.path("version").asLong();
    String title = acknowledged.get(version);
    return title != null
        ? version == acknowledged.lastKey() && title.equals(offer.path("title").asText())
        : version > acknowledged.lastKey();
  }

  private static boolean countsAreExact(ApiClient seller) {
    int counted = seller.get("/v1/sellers/me/presets").path("counts").path("ACTIVE").asInt();
    int listed = 0;
    String token = "";
    do {
      JsonNode page =
          seller.get("/v1/sellers/me/offers?preset=ACTIVE&pageSize=200&pageToken=" + token);
      listed += page.path("offers").size();
      token = page.path("nextPageToken").asText();
    } while (!token.isEmpty());
    return counted == listed;
  }
}
