package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.server.run.NotificationRoutesIT.Events;
import dev.torg.server.run.TestTorg.TestUser;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag(TestTorg.OWN)
class StreamEndIT {
  @RegisterExtension static final TestTorg TORG = new TestTorg();

  /// The drain alone would wait 20 seconds for a stream that no client closes.
  @Test
  @Timeout(60)
  void stop_openStream_endsInOrderAndDelaysNothing() throws Exception {
    TestUser recipient = TORG.user();
    HttpRequest request =
        HttpRequest.newBuilder(TORG.uri("/v1/notifications/stream"))
            .header("Authorization", "Bearer " + recipient.token())
            .build();
    try (Events events = new Events(TORG.client().send(request, BodyHandlers.ofInputStream()))) {
      assertThat(events.next()).containsEntry("event", "unread");
      long startNanos = System.nanoTime();
      Thread stop = Thread.ofVirtual().start(TORG::stop);
      assertThat(events.next()).isEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isLessThan(Duration.ofSeconds(10));
      stop.join();
    }
  }
}
