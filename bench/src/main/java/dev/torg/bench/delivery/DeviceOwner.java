package dev.torg.bench.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import dev.torg.bench.process.ApiClient;
import java.util.ArrayList;
import java.util.List;

/// A recipient of notifications with Android devices.
///
/// @param subject as senders address it: `user:42`
/// @param deviceTokens of the devices, each of one recipient only
record DeviceOwner(String subject, List<String> deviceTokens, ApiClient client) {
  private static final int PAGE_SIZE = 100;

  DeviceOwner {
    deviceTokens = List.copyOf(deviceTokens);
  }

  /// Logs in, and registers the devices.
  static DeviceOwner register(ApiClient anonymous, String userId, int devices) {
    ApiClient client = anonymous.loggedInAs(userId);
    List<String> tokens = new ArrayList<>();
    for (int device = 0; device < devices; device++) {
      String token = userId + ":device" + device;
      client.post(
          "/v1/devices", ApiClient.JSON.createObjectNode().put("kind", "FCM").put("token", token));
      tokens.add(token);
    }
    return new DeviceOwner("user:" + userId, tokens, client);
  }

  /// An entry of the bell as its owner reads it.
  record ReadEntry(String id, String title) {}

  List<ReadEntry> bell() {
    List<ReadEntry> entries = new ArrayList<>();
    String pageToken = "";
    do {
      JsonNode page =
          client.get("/v1/notifications?pageSize=%d&pageToken=%s".formatted(PAGE_SIZE, pageToken));
      page.path("notifications")
          .forEach(
              entry ->
                  entries.add(
                      new ReadEntry(entry.path("id").asText(), entry.path("title").asText())));
      pageToken = page.path("nextPageToken").asText();
    } while (!pageToken.isEmpty());
    return entries;
  }

  long unread() {
    return client.get("/v1/notifications/unreadCount").path("total").asLong();
  }
}
