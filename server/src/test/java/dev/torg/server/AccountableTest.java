package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Caller.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Whom the backlog counts a call against.
class AccountableTest {
  private final RunningServer torg = new RunningServer();

  @AfterEach
  void stop() {
    torg.close();
  }

  @Test
  void call_withoutTokenOrAnonymous_isCountedByAddress() {
    torg.get("/v1/offers/1");
    assertThat(torg.offers.accountable).isEqualTo("127.0.0.1");
    torg.offers.accountable = null;
    call(torg.token("anon:1", Role.ANONYMOUS));
    assertThat(torg.offers.accountable).isEqualTo("127.0.0.1");
  }

  @Test
  void call_ofAUser_isCountedBySubject() {
    call(torg.user());
    assertThat(torg.offers.accountable).isEqualTo("user:42");
  }

  @Test
  void call_ofAService_isNotCounted() {
    torg.offers.accountable = "before";
    call(torg.service());
    assertThat(torg.offers.accountable).isNull();
  }

  private void call(String token) {
    assertThat(torg.get("/v1/offers/1", "Authorization", "Bearer " + token).status())
        .isEqualTo(200);
  }
}
