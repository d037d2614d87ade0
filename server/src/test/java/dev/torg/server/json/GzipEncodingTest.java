package dev.torg.server.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GzipEncodingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | true",
        "deflate, GZIP | true",
        "br;q=1.0, gzip;q=0.8, *;q=0.1 | true",
        "* | true",
        "gzip;q=0 | false",
        "gzip; q=0.000, * | false",
        "*;q=0 | false",
        "deflate, br | false",
        "gzipped | false",
        "'' | false"
      })
  void isAccepted_header_followsNameAndWeight(String header, boolean accepted) {
    RequestHeaders headers =
        RequestHeaders.of(HttpMethod.GET, "/", HttpHeaderNames.ACCEPT_ENCODING, header);
    assertThat(GzipEncoding.isAccepted(headers)).isEqualTo(accepted);
  }

  @Test
  void isAccepted_noHeader_isFalse() {
    assertThat(GzipEncoding.isAccepted(RequestHeaders.of(HttpMethod.GET, "/"))).isFalse();
  }

  @Test
  void compress_bytes_canBeRestored() throws IOException {
    byte[] json = "{\"title\":\"a lamp\"}".repeat(1_000).getBytes(StandardCharsets.UTF_8);
    byte[] compressed = GzipEncoding.compress(json);
    assertThat(compressed.length).isLessThan(json.length / 10);
    try (GZIPInputStream restored = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      assertThat(restored.readAllBytes()).isEqualTo(json);
    }
  }
}
