package dev.torg.notifications.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkRuleTest {
  @ParameterizedTest
  @ValueSource(strings = {"https://torg.example", "http://torg.example:8080/a?b=c#d"})
  void problem_webAddress_isNoneOnAnyPlatform(String link) {
    assertThat(LinkRule.WEB.problem(link)).isEmpty();
    assertThat(LinkRule.APP.problem(link)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"torg://offers/1", "torg:offer?id=1", "market://details?id=x"})
  void problem_linkOfAnApp_isNoneInAppsOnly(String link) {
    assertThat(LinkRule.APP.problem(link)).isEmpty();
    assertThat(LinkRule.WEB.problem(link)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "intent://x#Intent;end",
        "https://",
        "https:torg.example",
        "https://torg.example@evil.example/",
        "https://torg.example/ a",
        "https://torg.example/\n",
        "/offers/1",
        "offers",
        "//evil.example/"
      })
  void problem_unsafeOrMalformed_isReported(String link) {
    assertThat(LinkRule.WEB.problem(link)).isPresent();
    assertThat(LinkRule.APP.problem(link)).isPresent();
  }
}
