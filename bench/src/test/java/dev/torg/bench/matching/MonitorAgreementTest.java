package dev.torg.bench.matching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.torg.bench.workload.Mix;
import dev.torg.bench.workload.SampleOffer;
import java.util.HashSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Engine and Lucene Monitor return the same result sets on the benchmark's own workload.
class MonitorAgreementTest {
  @ParameterizedTest
  @EnumSource(Mix.class)
  void match_anyMix_equalsTunedMonitor(Mix mix) {
    Sampled sampled = new Sampled(11, 1_500, mix, false, 60);
    long matches = 0;
    try (EngineRun engine = new EngineRun(sampled);
        MonitorRun monitor = new MonitorRun(sampled, true)) {
      for (SampleOffer offer : engine.offers()) {
        var ids = engine.engine().match(Translate.features(offer)).ids();
        assertThat(new HashSet<>(ids)).isEqualTo(monitor.match(offer)).hasSize(ids.size());
        matches += ids.size();
      }
    }
    assertThat(matches).isPositive();
  }

  @ParameterizedTest
  @EnumSource(value = Mix.class, names = "NARROW")
  void match_longText_equalsDefaultMonitor(Mix mix) {
    Sampled sampled = new Sampled(12, 500, mix, true, 10);
    try (EngineRun engine = new EngineRun(sampled);
        MonitorRun monitor = new MonitorRun(sampled, false)) {
      for (SampleOffer offer : engine.offers()) {
        assertThat(new HashSet<>(engine.engine().match(Translate.features(offer)).ids()))
            .isEqualTo(monitor.match(offer));
      }
    }
  }
}
