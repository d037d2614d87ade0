package dev.torg.offers.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportValidatorTest {
  private static final long NOW = 1_000_000;

  @ParameterizedTest
  @CsvSource({
    "STATUS_UNSPECIFIED, ACTIVE",
    "ACTIVE,    ACTIVE",
    "EXPIRED,   EXPIRED",
    "SOLD,      SOLD",
    "WITHDRAWN, WITHDRAWN",
    "PENDING,   import.status",
    "BANNED,    import.status",
    "REMOVED,   import.status",
  })
  void status_onlyImportableIsAccepted(Status status, String expected) {
    Offer offer = Offer.newBuilder().setStatus(status).build();
    assertThat(result(() -> ImportValidator.status(offer))).isEqualTo(expected);
  }

  @Test
  void status_unknownNumber_isRefused() {
    Offer offer = Offer.newBuilder().setStatusValue(99).build();
    assertThat(result(() -> ImportValidator.status(offer))).isEqualTo("import.status");
  }

  @ParameterizedTest
  @CsvSource({
    "-1,      import.created-at",
    "0,       0",
    "999999,  999999",
    "1000000, 1000000",
    "1000001, import.created-at",
  })
  void createdAt_isBetween1970AndNow(long created, String expected) {
    Offer offer = Offer.newBuilder().setCreatedAt(EpochMicros.timestamp(created)).build();
    assertThat(result(() -> ImportValidator.createdAt(offer, NOW))).isEqualTo(expected);
  }

  @Test
  void createdAt_missing_isNow() {
    assertThat(ImportValidator.createdAt(Offer.getDefaultInstance(), NOW)).isEqualTo(NOW);
  }

  private static String result(Supplier<Object> check) {
    try {
      return check.get().toString();
    } catch (Failure failure) {
      return failure.code();
    }
  }
}
