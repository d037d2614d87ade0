package dev.torg.platform.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import org.junit.jupiter.api.Test;

class OutboxMessageTest {
  @Test
  void message_ofTheLargestPayload_isTaken() {
    assertThat(message(OutboxMessage.MAX_BYTES).payload()).hasSize(OutboxMessage.MAX_BYTES);
  }

  @Test
  void message_beyondTheLargestPayload_isRefusedWithItsTopicAndKey() {
    assertThatThrownBy(() -> message(OutboxMessage.MAX_BYTES + 1))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo("event.too-large"))
        .hasRootCauseMessage("an event of 1048577 bytes for letters, key k");
  }

  private static OutboxMessage message(int bytes) {
    return new OutboxMessage(new Home(1), 1, "letters", "k", new byte[bytes]);
  }
}
