package dev.torg.offers.photo;

import static dev.torg.offers.wiring.OffersFixture.await;
import static dev.torg.offers.wiring.OffersFixture.car;
import static dev.torg.offers.wiring.OffersFixture.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.api.v1.Offer;
import dev.torg.api.v1.Photo;
import dev.torg.api.v1.Photo.Status;
import dev.torg.api.v1.PhotoRequest;
import dev.torg.offers.lifecycle.Decision;
import dev.torg.offers.lifecycle.Effect;
import dev.torg.offers.lifecycle.OfferCommand;
import dev.torg.offers.lifecycle.PhotoList;
import dev.torg.offers.lifecycle.Situation;
import dev.torg.offers.wiring.OffersFixture;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.OfferId;
import dev.torg.platform.kafka.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A command that replaces the photos by a list of addresses, as feeds use it.
class ReplacePhotosIT {
  @RegisterExtension static final OffersFixture OFFERS = new OffersFixture();

  private final PhotoPump pump = new PhotoPump(OFFERS);

  /// As the command of feeds does it.
  private record ReplacePhotos(OfferId id, List<String> urls, long task, long at)
      implements OfferCommand {
    @Override
    public boolean needsPhotos() {
      return true;
    }

    @Override
    public Decision decide(Situation situation) {
      Offer shown = situation.existing().shown();
      PhotoList photos = PhotoList.of(shown.getPhotosList(), situation.photos());
      if (!photos.replaceWith(urls, task, at)) {
        return new Decision.NoChange(List.of());
      }
      return Decision.change(
          shown.toBuilder().clearPhotos().addAllPhotos(photos.shown()),
          new Effect.PhotosChanged(photos.part(), photos.requested(), photos.removed()));
    }
  }

  @Test
  void replaceWith_hundredsOfOffersAtOnce_requestsEachPhotoOnce() {
    Caller seller = user("hundreds");
    List<Offer> offers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      offers.add(await(OFFERS.offers().publish(seller, car("Audi", 100))));
    }
    for (int round = 0; round < 2; round++) {
      List<CompletableFuture<Offer>> writes = new ArrayList<>();
      offers.forEach(
          offer ->
              writes.add(replacePhotos(offer, "https://shop.example/" + offer.getId() + ".jpg")));
      writes.forEach(OffersFixture::await);
    }
    List<Event> requests = pump.deliverRequests();
    assertThat(requests).hasSize(200);
    assertThat(requests).extracting(e -> PhotoPump.request(e).getOfferId()).doesNotHaveDuplicates();
  }

  @Test
  void replaceWith_changedList_requestsOnlyWhatIsNew() {
    Caller seller = user("changed");
    Offer offer = await(OFFERS.offers().publish(seller, car("Audi", 100)));
    Offer before = await(replacePhotos(offer, "https://a.example/1", "https://a.example/2"));
    pump.deliverRequests();
    Offer after = await(replacePhotos(offer, "https://a.example/2", "https://a.example/3"));
    List<PhotoRequest> requests = pump.deliverRequests().stream().map(PhotoPump::request).toList();
    assertThat(requests)
        .filteredOn(request -> !request.getRemoved())
        .extracting(PhotoRequest::getUrl)
        .containsExactly("https://a.example/3");
    assertThat(requests)
        .filteredOn(PhotoRequest::getRemoved)
        .extracting(PhotoRequest::getPhotoId)
        .containsExactly(before.getPhotos(0).getId());
    assertThat(after.getPhotosList()).extracting(Photo::getStatus).containsOnly(Status.PENDING);
    assertThat(await(OFFERS.offers().get(Optional.of(seller), OfferId.parse(offer.getId()))))
        .isEqualTo(after);
  }

  private static CompletableFuture<Offer> replacePhotos(Offer offer, String... urls) {
    return OFFERS
        .writer()
        .apply(
            new ReplacePhotos(
                OfferId.parse(offer.getId()),
                List.of(urls),
                1,
                EpochMicros.of(OFFERS.clock.instant())));
  }
}
