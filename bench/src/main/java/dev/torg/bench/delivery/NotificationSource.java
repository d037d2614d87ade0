package dev.torg.bench.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// Another system that sends notifications and campaigns as pushes. It remembers which recipient must receive what:
/// each notification has a title of its own. It repeats some requests, as a client does that received no response.
final class NotificationSource {
  private static final int RECIPIENTS = 40;
  private static final int ONE_IN_IS_REPEATED = 4;
  private static final String TOPIC = "news";

  private final ApiClient service;
  private final List<DeviceOwner> owners;
  private final SplittableRandom random;
  private final Map<String, Set<String>> expected = new HashMap<>();
  private final List<String> campaigns = new ArrayList<>();
  private int sent;
  private int repeated;

  NotificationSource(ApiClient service, List<DeviceOwner> owners, SplittableRandom random) {
    this.service = service;
    this.owners = owners;
    this.random = random;
  }

  /// Sends notifications, each to some of the recipients.
  void send(int count) {
    for (int i = 0; i < count; i++) {
      String id = "notification-" + sent++;
      List<String> recipients = some();
      ObjectNode request = request(id);
      ArrayNode list = request.putArray("recipients");
      recipients.forEach(list::add);
      service.post("/v1/notifications", request);
      if (random.nextInt(ONE_IN_IS_REPEATED) == 0) {
        service.post("/v1/notifications", request);
        repeated++;
      }
      expect(id, recipients);
    }
  }

  /// Starts a campaign to all of them.
  void startCampaign() {
    String id = "campaign-" + campaigns.size();
    List<String> recipients = owners.stream().map(DeviceOwner::subject).toList();
    ObjectNode request = request(id);
    ArrayNode list = request.putObject("audience").putObject("upload").putArray("recipients");
    recipients.forEach(list::add);
    service.post("/v1/campaigns", request);
    campaigns.add(id);
    expect(id, recipients);
  }

  private List<String> some() {
    Set<String> recipients = new HashSet<>();
    while (recipients.size() < Math.min(RECIPIENTS, owners.size())) {
      recipients.add(owners.get(random.nextInt(owners.size())).subject());
    }
    return List.copyOf(recipients);
  }

  private static ObjectNode request(String id) {
    ObjectNode request = ApiClient.JSON.createObjectNode().put("id", id).put("topic", TOPIC);
    request.putObject("content").put("title", id).put("text", "Sent by verify delivery");
    request.putArray("channels").add("PUSH");
    return request;
  }

  private void expect(String title, List<String> recipients) {
    recipients.forEach(
        recipient -> expected.computeIfAbsent(recipient, _ -> new HashSet<>()).add(title));
  }

  /// The titles that the recipient's bell must have.
  Set<String> expected(DeviceOwner owner) {
    return expected.getOrDefault(owner.subject(), Set.of());
  }

  List<DeviceOwner> owners() {
    return owners;
  }

  long expectedEntries() {
    return expected.values().stream().mapToLong(Set::size).sum();
  }

  int sent() {
    return sent;
  }

  int repeated() {
    return repeated;
  }

  int campaigns() {
    return campaigns.size();
  }

  /// Campaigns that are not finished, or that do not state all recipients as accepted and written.
  long wrongCampaigns() {
    return campaigns.stream().filter(id -> !isComplete(id)).count();
  }

  private boolean isComplete(String id) {
    JsonNode campaign = service.get("/v1/campaigns/" + id);
    JsonNode progress = campaign.path("progress");
    return campaign.path("status").asText().equals("FINISHED")
        && progress.path("accepted").asLong() == owners.size()
        && progress.path("written").asLong() == owners.size();
  }
}
