package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.platform.Caller.Role;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The key that the backlog counts a call against.
class OnBehalfOfTest {
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

  /// A client with one IPv6 address controls its whole network: the addresses share one part of the backlog.
  @Test
  void call_fromIpv6_isCountedByNetwork() {
    ServerConfig config = ServerConfig.local(0).withTrustedProxies(List.of("127.0.0.0/8"));
    try (RunningServer behindProxy = new RunningServer(config, List.of(), List.of())) {
      assertThat(accountable(behindProxy, "2001:db8:1:2:3:4:5:6"))
          .isEqualTo("2001:db8:1:2:0:0:0:0/64")
          .isEqualTo(accountable(behindProxy, "2001:db8:1:2:ffff::1"))
          .isNotEqualTo(accountable(behindProxy, "2001:db8:1:3::1"));
      assertThat(accountable(behindProxy, "192.0.2.7")).isEqualTo("192.0.2.7");
    }
  }

  private static String accountable(RunningServer server, String client) {
    server.offers.accountable = null;
    server.get("/v1/offers/1", "X-Forwarded-For", client);
    return server.offers.accountable;
  }

  private void call(String token) {
    assertThat(torg.get("/v1/offers/1", "Authorization", "Bearer " + token).status())
        .isEqualTo(200);
  }
}
