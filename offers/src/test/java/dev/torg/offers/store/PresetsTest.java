package dev.torg.offers.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Offer.Status;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Preset.Name;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PresetsTest {
  /// The presets of an offer without photos, and of one with a failed photo.
  @ParameterizedTest
  @CsvSource({
    "ACTIVE,    ALL ACTIVE,               ALL ACTIVE WITH_PROBLEMS",
    "PENDING,   ALL PENDING,              ALL PENDING WITH_PROBLEMS",
    "EXPIRED,   ALL EXPIRED,              ALL EXPIRED WITH_PROBLEMS",
    "BANNED,    ALL BANNED WITH_PROBLEMS, ALL BANNED WITH_PROBLEMS",
    "SOLD,      ALL SOLD,                 ALL SOLD WITH_PROBLEMS",
    "WITHDRAWN, ALL WITHDRAWN,            ALL WITHDRAWN WITH_PROBLEMS",
    "REMOVED,   '',                       ''",
  })
  void of_byStatus(Status status, String sound, String failedPhoto) {
    Offer.Builder offer = Offer.newBuilder().setStatus(status);
    assertThat(names(Presets.of(offer.build()))).isEqualTo(sound);
    offer.addPhotos(Photo.newBuilder().setStatus(Photo.Status.READY));
    offer.addPhotos(Photo.newBuilder().setStatus(Photo.Status.PENDING));
    assertThat(names(Presets.of(offer.build()))).isEqualTo(sound);
    offer.addPhotos(Photo.newBuilder().setStatus(Photo.Status.FAILED));
    assertThat(names(Presets.of(offer.build()))).isEqualTo(failedPhoto);
  }

  @Test
  void without_returnsDifference() {
    Presets active = Presets.of(Offer.newBuilder().setStatus(Status.ACTIVE).build());
    Presets sold = Presets.of(Offer.newBuilder().setStatus(Status.SOLD).build());
    assertThat(active.without(sold).names()).containsExactly(Name.ACTIVE);
    assertThat(active.without(active)).isEqualTo(Presets.NONE);
    assertThat(new Presets(active.bits())).isEqualTo(active);
  }

  private static String names(Presets presets) {
    List<String> names = presets.names().stream().map(Name::name).toList();
    return String.join(" ", names);
  }
}
