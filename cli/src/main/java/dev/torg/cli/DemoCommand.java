package dev.torg.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.torg.bench.process.ApiClient;
import dev.torg.server.config.Configuration;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Calls a running Torg through the whole path of an offer and prints each call.
@Command(
    name = "demo",
    description = "Publishes a few offers in a running Torg and shows what happens to them.")
final class DemoCommand implements Runnable {
  private static final List<String> OFFERS =
      List.of(
          """
          {"category":"cars","title":"Volkswagen Golf Variant 1.6 TDI","description":"One owner, serviced, new tyres.",
           "price":{"amount":"649000","currency":"EUR"},"region":"de/hessen/65474",
           "attributes":{"brand":"Volkswagen","model":"Golf","year":2014,"mileageKm":128000,"fuel":"diesel","gearbox":"manual"}}""",
          """
          {"category":"flats-rent","title":"Two rooms near the canal","price":{"amount":"185000","currency":"EUR"},
           "region":"ie/dublin","attributes":{"areaM2":54.5,"rooms":2,"floor":3}}""",
          """
          {"category":"comics","title":"Fantastic Four #48","description":"First Silver Surfer. Off-white pages.",
           "price":{"amount":"120000","currency":"USD"},
           "attributes":{"publisher":"Marvel","series":"Fantastic Four","issue":"48","year":1966,"grade":"FN"}}""");

  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    Configuration configuration = SettingOptions.configuration(spec.commandLine().getParseResult());
    try (ApiClient anonymous = ApiClient.ofRunning(configuration.data())) {
      ApiClient seller = anonymous.loggedInAs("demo-seller");
      String first = publishAll(seller);
      lowerPrice(seller, first);
      show(
          "GET /v1/offers/" + first + "/priceHistory",
          anonymous.get("/v1/offers/" + first + "/priceHistory"));
      show("GET /v1/sellers/me/presets", seller.get("/v1/sellers/me/presets"));
      out().println("Browse the API at " + anonymous.address() + "/docs");
    }
  }

  private String publishAll(ApiClient seller) {
    String first = "";
    for (String text : OFFERS) {
      ObjectNode request = ApiClient.JSON.createObjectNode();
      request.set("offer", ApiClient.parse(text));
      JsonNode offer = seller.post("/v1/offers", request);
      out()
          .printf(
              "published %s  %s%n", offer.path("displayId").asText(), offer.path("title").asText());
      first = first.isEmpty() ? offer.path("id").asText() : first;
    }
    return first;
  }

  private void lowerPrice(ApiClient seller, String id) {
    ObjectNode offer = (ObjectNode) seller.get("/v1/offers/" + id);
    ((ObjectNode) offer.path("price")).put("amount", "599000");
    ObjectNode request = ApiClient.JSON.createObjectNode();
    request.set("offer", offer);
    request.put("version", offer.path("version").asText());
    show(
        "PUT /v1/offers/" + id,
        seller.send("PUT", "/v1/offers/" + id, request, java.util.Map.of()));
  }

  private void show(String call, JsonNode response) {
    out().printf("%n%s%n%s%n", call, response.toPrettyString());
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
