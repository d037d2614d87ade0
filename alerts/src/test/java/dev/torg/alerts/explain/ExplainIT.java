package dev.torg.alerts.explain;

import static dev.torg.alerts.AlertsFixture.car;
import static dev.torg.alerts.AlertsFixture.cars;
import static dev.torg.alerts.AlertsFixture.newUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.alerts.AlertsFixture;
import dev.torg.api.v1.ExplainRequest;
import dev.torg.api.v1.Explanation;
import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Rule;
import dev.torg.api.v1.SavedSearch;
import dev.torg.platform.Home;
import dev.torg.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExplainIT {
  @RegisterExtension static final TestDatabase TABLES = AlertsFixture.tables();

  @Test
  void explain_ownRules_reportsWhichMatchAndWhatFails() {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      String recipient = newUser();
      String seller = newUser();
      String matching = fixture.search(recipient, cars("red"), "red cars");
      String failing = fixture.search(recipient, cars("blue"), "blue cars");
      fixture.follow(recipient, seller);
      Offer offer = fixture.publish(seller, car("Red car", 1000));
      fixture.save(recipient, offer);
      Explanation explained = explain(fixture, recipient, offer.getId());
      assertThat(explained.getRulesList())
          .extracting(Rule::getKind)
          .containsExactlyInAnyOrder(
              Rule.Kind.SEARCH, Rule.Kind.SEARCH, Rule.Kind.SELLER, Rule.Kind.PRICE);
      assertThat(explained.getRulesList())
          .filteredOn(rule -> rule.getId().equals(matching))
          .allSatisfy(rule -> assertThat(rule.getMatches()).isTrue());
      assertThat(explained.getRulesList())
          .filteredOn(rule -> rule.getId().equals(failing))
          .allSatisfy(
              rule -> {
                assertThat(rule.getMatches()).isFalse();
                assertThat(rule.getName()).isEqualTo("blue cars");
                assertThat(rule.getFailingClausesList()).containsExactly("text=blue");
              });
      assertThatThrownBy(() -> explain(fixture, recipient, "0000000000000000"))
          .hasMessageContaining("no such offer");
    }
  }

  @Test
  void explain_searchThatCannotBeReadAnyMore_doesNotHideTheOthers() {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      String recipient = newUser();
      String matching = fixture.search(recipient, cars("red"), "red cars");
      String odd = fixture.search(recipient, cars("blue"), "blue cars");
      fixture.database.inTransaction(
          tx ->
              tx.sql(
                      "UPDATE favorite SET body = ? WHERE home = ? AND owner = ? AND favorite_id = ?")
                  .set(SavedSearch.getDefaultInstance().toByteArray())
                  .set(Home.of(recipient))
                  .set(recipient)
                  .set(odd)
                  .update());
      Offer offer = fixture.publish(newUser(), car("Red car", 1000));
      Explanation explained = explain(fixture, recipient, offer.getId());
      assertThat(explained.getRulesList())
          .filteredOn(Rule::getMatches)
          .extracting(Rule::getId)
          .containsExactly(matching);
      assertThat(explained.getRulesList())
          .filteredOn(rule -> rule.getId().equals(odd))
          .allSatisfy(
              rule -> assertThat(rule.getFailingClausesList()).containsExactly("query=unreadable"));
    }
  }

  /// More searches than an explanation names, the matching ones saved first and so read last.
  @Test
  void explain_manySearches_namesAtMost200MatchingFirst() {
    try (AlertsFixture fixture = new AlertsFixture(TABLES)) {
      String recipient = newUser();
      String seller = newUser();
      fixture.follow(recipient, seller);
      List<String> matching = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        matching.add(fixture.search(recipient, cars("red -w" + i), "red " + i));
      }
      for (int i = 0; i < 230; i++) {
        fixture.search(recipient, cars("blue -w" + i), "blue " + i);
      }
      Offer offer = fixture.publish(seller, car("Red car", 1000));
      List<Rule> rules = explain(fixture, recipient, offer.getId()).getRulesList();
      assertThat(rules).hasSizeLessThanOrEqualTo(200).hasSizeGreaterThan(190);
      assertThat(rules.subList(0, 5))
          .extracting(Rule::getId)
          .containsExactlyInAnyOrderElementsOf(matching);
      assertThat(rules).extracting(Rule::getKind).contains(Rule.Kind.SELLER);
    }
  }

  private static Explanation explain(AlertsFixture fixture, String recipient, String id) {
    WhyRpc rpc = new WhyRpc(fixture.database, fixture.offers.offers(), fixture.favorites.rules());
    return fixture.as(
        recipient, rpc, ExplainRequest.newBuilder().setId(id).build(), WhyRpc::explain);
  }
}
