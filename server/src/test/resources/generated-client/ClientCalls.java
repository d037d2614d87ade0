package dev.torg.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.torg.client.api.FavoritesApi;
import dev.torg.client.api.IdentityApi;
import dev.torg.client.api.NotificationsApi;
import dev.torg.client.api.OffersApi;
import dev.torg.client.model.Money;
import dev.torg.client.model.Offer;
import dev.torg.client.model.OfferStatus;
import dev.torg.client.model.PriceRange;
import dev.torg.client.model.Problem;
import dev.torg.client.model.PublishOfferRequest;
import dev.torg.client.model.SaveSearchRequest;
import dev.torg.client.model.SavedSearch;
import dev.torg.client.model.SearchQuery;
import dev.torg.client.model.Violation;
import java.util.List;
import java.util.Map;

/// Calls a server through the client that openapi-generator generates from its document.
/// GeneratedClientIT compiles this file together with that client and calls its methods by name.
public final class ClientCalls {
  private final String address;
  private final String token;

  public ClientCalls(String address, String token) {
    this.address = address;
    this.token = token;
  }

  private ApiClient client(String bearer) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(address);
    if (!bearer.isEmpty()) {
      client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + bearer));
    }
    return client;
  }

  public void createAnonymous() throws ApiException {
    var identity = new IdentityApi(client("")).createAnonymous();
    assertThat(identity.getSubject()).startsWith("anon:");
    var own = new IdentityApi(client(identity.getToken())).whoAmI();
    assertThat(own.getSubject()).isEqualTo(identity.getSubject());
  }

  public void publishOffer() throws ApiException {
    OffersApi offers = new OffersApi(client(token));
    PublishOfferRequest request = new PublishOfferRequest().offer(lamp());
    Offer published = offers.publishOffer(request, "lamp-1");
    assertThat(published.getStatus()).isEqualTo(OfferStatus.ACTIVE);
    assertThat(published.getPrice().getAmount()).isEqualTo("1900");
    assertThat(published.getCreatedAt()).isNotNull();
    assertThat(published.getAttributes()).containsEntry("condition", "used");
    assertThat(offers.publishOffer(request, "lamp-1").getId()).isEqualTo(published.getId());
    assertThat(offers.getOffer(published.getId()).getTitle()).isEqualTo("A bicycle lamp");
    assertThat(offers.withdrawOffer(published.getId()).getStatus())
        .isEqualTo(OfferStatus.WITHDRAWN);
  }

  private static Offer lamp() {
    return new Offer()
        .category("electronics")
        .title("A bicycle lamp")
        .price(new Money().amount("1900").currency("EUR"))
        .attributes(Map.of("condition", "used"));
  }

  public void saveSearch() throws ApiException {
    FavoritesApi favorites = new FavoritesApi(client(token));
    SearchQuery query =
        new SearchQuery()
            .category("electronics")
            .regions(List.of("de"))
            .price(new PriceRange().to(new Money().amount("5000").currency("EUR")));
    SavedSearch saved =
        favorites.saveSearch(new SaveSearchRequest().query(query).name("Lamps"), null);
    assertThat(saved.getSearchId()).isNotEmpty();
    assertThat(saved.getQuery().getPrice().getTo().getAmount()).isEqualTo("5000");
    assertThat(favorites.getFavoriteCounts().getCounts()).containsEntry("SEARCH", 1);
  }

  public void listNotifications() throws ApiException {
    NotificationsApi notifications = new NotificationsApi(client(token));
    var page = notifications.listNotifications(List.of("searches", "prices"), true, 10, null, null);
    assertThat(page.getNotifications()).isEmpty();
    assertThat(page.getNextPageToken()).isEmpty();
    assertThat(notifications.getUnreadCount().getTotal()).isZero();
  }

  public void readProblem() throws Exception {
    OffersApi offers = new OffersApi(client(token));
    PublishOfferRequest untitled =
        new PublishOfferRequest().offer(new Offer().category("electronics").title("x"));
    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> offers.publishOffer(untitled, null));
    assertThat(refused.getCode()).isEqualTo(400);
    Problem problem =
        ApiClient.createDefaultObjectMapper().readValue(refused.getResponseBody(), Problem.class);
    assertThat(problem.getStatus()).isEqualTo(400);
    assertThat(problem.getCode()).isEqualTo("offer.invalid");
    assertThat(problem.getType()).isEqualTo("urn:torg:problem:offer.invalid");
    assertThat(problem.getRequestId()).isNotEmpty();
    assertThat(problem.getViolations()).extracting(Violation::getField).contains("offer.title");
  }
}
