package dev.torg.offers.store;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Preset.Name;
import java.util.ArrayList;
import java.util.List;

/// The lists of the dashboard that contain an offer: a set of presets, one bit each.
public record Presets(int bits) {
  public static final Presets NONE = new Presets(0);

  /// All presets.
  public static final List<Name> NAMES =
      List.of(
          Name.ALL,
          Name.ACTIVE,
          Name.PENDING,
          Name.EXPIRED,
          Name.BANNED,
          Name.SOLD,
          Name.WITHDRAWN,
          Name.WITH_PROBLEMS);

  public static Presets of(Offer offer) {
    return switch (offer.getStatus()) {
      case ACTIVE -> shown(Name.ACTIVE, offer);
      case PENDING -> shown(Name.PENDING, offer);
      case EXPIRED -> shown(Name.EXPIRED, offer);
      case BANNED -> shown(Name.BANNED, offer).with(Name.WITH_PROBLEMS);
      case SOLD -> shown(Name.SOLD, offer);
      case WITHDRAWN -> shown(Name.WITHDRAWN, offer);
      case REMOVED, STATUS_UNSPECIFIED, UNRECOGNIZED -> NONE;
    };
  }

  private static Presets shown(Name status, Offer offer) {
    Presets presets = NONE.with(Name.ALL).with(status);
    return hasFailedPhoto(offer) ? presets.with(Name.WITH_PROBLEMS) : presets;
  }

  private static boolean hasFailedPhoto(Offer offer) {
    for (Photo photo : offer.getPhotosList()) {
      if (photo.getStatus() == Photo.Status.FAILED) {
        return true;
      }
    }
    return false;
  }

  public Presets without(Presets others) {
    return new Presets(bits & ~others.bits);
  }

  public List<Name> names() {
    List<Name> names = new ArrayList<>();
    for (Name name : NAMES) {
      if ((bits & bit(name)) != 0) {
        names.add(name);
      }
    }
    return names;
  }

  private Presets with(Name name) {
    return new Presets(bits | bit(name));
  }

  private static int bit(Name name) {
    return 1 << name.getNumber();
  }
}
