package dev.torg.server.json;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// The `Content-Encoding` gzip, which is the only one offered: every client that accepts any accepts it.
final class GzipEncoding {
  static final String NAME = "gzip";

  private static final String ANY = "*";

  private GzipEncoding() {}

  /// Whether `Accept-Encoding` allows gzip, by its name or by `*`.
  static boolean isAccepted(RequestHeaders headers) {
    boolean any = false;
    for (String value : headers.getAll(HttpHeaderNames.ACCEPT_ENCODING)) {
      for (String accepted : value.toLowerCase(Locale.ROOT).split(",", -1)) {
        String[] parts = accepted.split(";", 2);
        String name = parts[0].strip();
        boolean allowed = parts.length == 1 || !isZero(parts[1]);
        if (name.equals(NAME)) {
          return allowed;
        }
        any |= name.equals(ANY) && allowed;
      }
    }
    return any;
  }

  /// `q=0`, `q=0.0` and so on refuse an encoding.
  private static boolean isZero(String weight) {
    return weight.strip().matches("q\\s*=\\s*0(\\.0*)?");
  }

  /// Fast rather than small: the thread is shared by all large responses.
  static byte[] compress(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(Math.max(512, bytes.length / 4));
    try (OutputStream gzip = new FastGzip(compressed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 8 * 1024);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
