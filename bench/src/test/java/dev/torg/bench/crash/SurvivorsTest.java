package dev.torg.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.bench.process.ApiClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SurvivorsTest {
  private final WriteLedger ledger = new WriteLedger();
  private final Survivors survivors = new Survivors(ledger);

  private long lostWhenAcknowledged(int status, String body) throws IOException {
    ledger.acknowledge("1", 1, "first");
    ledger.acknowledge("1", 2, "second");
    try (FakeApi api = new FakeApi(status, body);
        ApiClient client = api.client()) {
      return survivors.lostOrOld(client);
    }
  }

  @Test
  void lostOrOld_notFound_isLost() throws IOException {
    assertThat(lostWhenAcknowledged(404, "{\"detail\":\"there is no such offer\"}")).isEqualTo(1);
  }

  @Test
  void lostOrOld_anOlderVersion_isOld() throws IOException {
    assertThat(lostWhenAcknowledged(200, "{\"version\":\"1\",\"title\":\"first\"}")).isEqualTo(1);
  }

  @Test
  void lostOrOld_theSameVersionWithOtherWords_isLost() throws IOException {
    assertThat(lostWhenAcknowledged(200, "{\"version\":\"2\",\"title\":\"other\"}")).isEqualTo(1);
  }

  @Test
  void lostOrOld_asAcknowledgedOrLater_isNeither() throws IOException {
    assertThat(lostWhenAcknowledged(200, "{\"version\":\"2\",\"title\":\"second\"}")).isZero();
    assertThat(lostWhenAcknowledged(200, "{\"version\":\"3\",\"title\":\"third\"}")).isZero();
  }
}
