package dev.torg.alerts.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PositionsTest {
  @Test
  void decode_anyPositions_areThoseEncoded() {
    Random random = new Random(11);
    for (int i = 0; i < 200; i++) {
      BitSet bits = new BitSet();
      int density = 1 + random.nextInt(50);
      for (int position = 1; position < 3_000; position++) {
        bits.set(position, random.nextInt(density) == 0);
      }
      Positions positions = Positions.of(bits);
      assertThat(Positions.decode(positions.encode())).isEqualTo(positions);
      assertThat(Positions.of(bits.stream().toArray())).isEqualTo(positions);
      assertThat(positions.size()).isEqualTo(bits.cardinality());
      assertThat(positions.within(100, 2_000)).isEqualTo(bits.get(100, 2_000));
      assertThat(positions.blocks(64))
          .isEqualTo(bits.stream().map(p -> p / 64).distinct().boxed().toList());
      BitSet more = new BitSet();
      bits.stream().map(p -> p + random.nextInt(3)).forEach(more::set);
      Positions both = positions.plus(Positions.of(more));
      more.or(bits);
      assertThat(both).isEqualTo(Positions.of(more));
    }
  }

  @Test
  void encode_catalogueInARow_takesAFewBytes() {
    BitSet bits = new BitSet();
    bits.set(200_001, 300_001);
    assertThat(Positions.of(bits).encode().length).isLessThanOrEqualTo(6);
    assertThat(Positions.of().encode()).isEmpty();
  }

  @Test
  void decode_damagedBytes_isRefused() {
    assertThatThrownBy(() -> Positions.decode(new byte[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Positions.decode(new byte[] {1, 0}))
        .isInstanceOf(IllegalArgumentException.class);
    byte[] huge = {1, -1, -1, -1, -1, 127};
    assertThatThrownBy(() -> Positions.decode(huge)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Positions.decode(new byte[] {1, -1, -1, -1, -1, -1, -1}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
