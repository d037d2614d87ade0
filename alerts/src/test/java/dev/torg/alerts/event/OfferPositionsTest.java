package dev.torg.alerts.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OfferPositionsTest {
  @Test
  void decode_anyPositions_areThoseEncoded() {
    Random random = new Random(11);
    for (int i = 0; i < 200; i++) {
      BitSet bits = new BitSet();
      int density = 1 + random.nextInt(50);
      for (int position = 1; position < 3_000; position++) {
        bits.set(position, random.nextInt(density) == 0);
      }
      OfferPositions positions = OfferPositions.of(bits);
      assertThat(OfferPositions.decode(positions.encode())).isEqualTo(positions);
      assertThat(OfferPositions.of(bits.stream().toArray())).isEqualTo(positions);
      assertThat(positions.size()).isEqualTo(bits.cardinality());
      assertThat(positions.within(100, 2_000)).isEqualTo(bits.get(100, 2_000));
      assertThat(positions.blocks(64))
          .isEqualTo(bits.stream().map(p -> p / 64).distinct().boxed().toList());
      BitSet more = new BitSet();
      bits.stream().map(p -> p + random.nextInt(3)).forEach(more::set);
      OfferPositions both = positions.plus(OfferPositions.of(more));
      more.or(bits);
      assertThat(both).isEqualTo(OfferPositions.of(more));
    }
  }

  @Test
  void encode_contiguousCatalogue_needsAFewBytes() {
    BitSet bits = new BitSet();
    bits.set(200_001, 300_001);
    assertThat(OfferPositions.of(bits).encode().length).isLessThanOrEqualTo(6);
    assertThat(OfferPositions.of().encode()).isEmpty();
  }

  @Test
  void decode_damagedBytes_isRefused() {
    assertThatThrownBy(() -> OfferPositions.decode(new byte[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OfferPositions.decode(new byte[] {1, 0}))
        .isInstanceOf(IllegalArgumentException.class);
    byte[] huge = {1, -1, -1, -1, -1, 127};
    assertThatThrownBy(() -> OfferPositions.decode(huge))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OfferPositions.decode(new byte[] {1, -1, -1, -1, -1, -1, -1}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
