package dev.torg.server.openapi;

import com.linecorp.armeria.common.HttpStatus;
import dev.torg.platform.Failure;
import dev.torg.server.problem.HttpProblems;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The codes of errors with their HTTP status and meaning, read from `errors.txt`.
final class ErrorCatalog {
  private static final String RESOURCE = "errors.txt";
  private static final String INTERNAL = "INTERNAL";

  /// No kind: an error of the server itself.
  record Entry(Failure.@Nullable Kind kind, String meaning) {
    HttpStatus status() {
      return HttpProblems.status(kind);
    }
  }

  private final Map<String, Entry> byCode = new LinkedHashMap<>();

  private ErrorCatalog() {}

  static ErrorCatalog load() {
    try (InputStream in = ErrorCatalog.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing");
      }
      ErrorCatalog codes = new ErrorCatalog();
      new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(codes::add);
      return codes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String line) {
    if (line.isBlank() || line.startsWith("#")) {
      return;
    }
    String[] words = line.split(" +", 3);
    Failure.Kind kind = words[0].equals(INTERNAL) ? null : Failure.Kind.valueOf(words[0]);
    if (byCode.put(words[1], new Entry(kind, words[2])) != null) {
      throw new IllegalStateException(words[1] + " is in " + RESOURCE + " twice");
    }
  }

  Map<String, Entry> all() {
    return Map.copyOf(byCode);
  }

  Entry of(String code) {
    Entry entry = byCode.get(code);
    if (entry == null) {
      throw new IllegalStateException(code + " is not in " + RESOURCE);
    }
    return entry;
  }
}
