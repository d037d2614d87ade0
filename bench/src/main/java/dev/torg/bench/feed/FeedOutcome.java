package dev.torg.bench.feed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import java.util.HashMap;
import java.util.Map;

/// The contents of a seller's dashboard after a feed, compared with the feed.
record FeedOutcome(long missing, long unexpected, long wrong, long listed, long counted) {

  static FeedOutcome of(ApiClient seller, FeedItems feed) {
    Map<String, String> titles = new HashMap<>();
    long listed = 0;
    String token = "";
    do {
      JsonNode page =
          seller.get("/v1/sellers/me/offers?preset=ALL&pageSize=200&pageToken=" + token);
      for (JsonNode offer : page.path("offers")) {
        listed++;
        titles.put(offer.path("externalId").asText(), offer.path("title").asText());
      }
      token = page.path("nextPageToken").asText();
    } while (!token.isEmpty());
    long counted = seller.get("/v1/sellers/me/presets").path("counts").path("ALL").asLong();
    return compared(feed, titles, listed, counted);
  }

  boolean isExact() {
    return listed == counted;
  }

  private static FeedOutcome compared(
      FeedItems feed, Map<String, String> titles, long listed, long counted) {
    long missing = 0;
    long wrong = 0;
    for (int i = 0; i < feed.count(); i++) {
      if (feed.has(i)) {
        String title = titles.get(FeedItems.externalId(i));
        missing += title == null ? 1 : 0;
        wrong += title != null && !title.equals(feed.title(i)) ? 1 : 0;
      }
    }
    return new FeedOutcome(
        missing, Math.max(0, listed - (feed.size() - missing)), wrong, listed, counted);
  }
}
