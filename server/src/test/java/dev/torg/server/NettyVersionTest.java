package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.Version;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The Netty on the class path is the one of `netty-bom` in the root pom, not the older one that Armeria was built with.
class NettyVersionTest {
  /// The first release without the HTTP/1.1 and HTTP/2 advisories of 2026 (docs/decisions/dependencies.md).
  private static final int[] FIRST_WITHOUT_KNOWN_ADVISORIES = {4, 2, 16};

  @Test
  void netty_everyArtifact_hasOneVersionWithoutKnownAdvisories() {
    List<String> versions =
        Version.identify().values().stream()
            .filter(version -> !version.artifactId().startsWith("netty-tcnative"))
            .map(Version::artifactVersion)
            .distinct()
            .toList();

    assertThat(versions).hasSize(1);
    assertThat(Arrays.compare(numbers(versions.getFirst()), FIRST_WITHOUT_KNOWN_ADVISORIES))
        .as("Netty %s", versions)
        .isGreaterThanOrEqualTo(0);
  }

  private static int[] numbers(String version) {
    return Stream.of(version.split("\\.")).limit(3).mapToInt(Integer::parseInt).toArray();
  }
}
