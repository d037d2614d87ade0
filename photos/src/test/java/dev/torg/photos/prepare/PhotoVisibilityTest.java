package dev.torg.photos.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer.Status;
import dev.torg.photos.PhotoImages;
import dev.torg.photos.prepare.PhotoVisibility.Audience;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhotoVisibilityTest {
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    EVERYONE",
    "EXPIRED,   EVERYONE",
    "SOLD,      EVERYONE",
    "PENDING,   EVERYONE",
    "WITHDRAWN, EVERYONE",
    "BANNED,    MODERATORS",
    "REMOVED,   NONE",
  })
  void of_byTheStatusOfTheOffer(Status status, Audience audience) {
    assertThat(PhotoVisibility.of(Optional.of(status))).isEqualTo(audience);
  }

  @Test
  void of_unknownOffer_isNone() {
    assertThat(PhotoVisibility.of(Optional.empty())).isEqualTo(Audience.NONE);
  }

  @Test
  void caches_ofServerAndClient_togetherLastLessThanAMinute() {
    assertThat(PhotoVisibility.CACHE_TIME.plus(PhotoImages.Access.MAX_AGE))
        .isLessThan(Duration.ofMinutes(1));
  }
}
