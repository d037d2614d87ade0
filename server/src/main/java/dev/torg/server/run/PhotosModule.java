package dev.torg.server.run;

import dev.torg.offers.wiring.OffersWiring;
import dev.torg.photos.PhotoUploadStore;
import dev.torg.photos.wiring.PhotosWiring;
import dev.torg.platform.kafka.ConsumerLoop;
import dev.torg.server.config.Role;
import dev.torg.server.photos.PhotoImageRoute;
import dev.torg.server.route.HttpRoute;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/// Serves photo images, and prepares them in role photos.
final class PhotosModule implements Module {
  private final PhotosWiring wiring;
  private final MeterRegistry metrics;

  PhotosModule(ProcessContext context) {
    metrics = context.module().metrics();
    wiring =
        new PhotosWiring(
            context.module(),
            OffersWiring.photoOwners(context.module().database()),
            context.configuration().photos());
  }

  PhotoUploadStore uploads() {
    return wiring.uploads();
  }

  @Override
  public List<HttpRoute> routes() {
    return new PhotoImageRoute(wiring.images()).routes();
  }

  @Override
  public void start(BackgroundRuntime background) {
    if (background.does(Role.PHOTOS)) {
      wiring.schedule(background.jobs());
      wiring
          .consumers()
          .forEach(
              consumer ->
                  background.run(
                      new ConsumerLoop(
                          background.kafka(),
                          consumer.spec(),
                          consumer.handler(),
                          background.parkedEvents(),
                          metrics)));
    }
  }

  @Override
  public void close() {
    wiring.close();
  }
}
