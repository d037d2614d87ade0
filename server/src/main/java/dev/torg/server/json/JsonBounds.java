package dev.torg.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.torg.api.v1.Bounds;
import dev.torg.server.bounds.FieldBounds;
import dev.torg.server.bounds.MessageBounds;
import dev.torg.server.bounds.OutOfBoundsException;
import java.io.IOException;

/// Scans the tokens of a JSON request and refuses what is beyond the bounds of its message, before a tree or a
/// message is built. Unknown fields and values of another shape are skipped: [JsonFieldErrors] reports them.
final class JsonBounds {
  /// The limit for any request: names, values, brackets. A message has at most 10,000 values.
  static final int MAX_TOKENS = 30_000;

  /// Of numbers, times and enum names given as text.
  static final int MAX_SCALAR = 1_000;

  private static final int MAX_DEPTH = 32;
  private static final int MAX_NAME = 10_000;
  private static final int MAX_NUMBER = 1_000;

  /// The longest piece of a feed, in base64. The length of a body is limited by its method.
  private static final int MAX_TEXT = 12 << 20;

  /// For every parser that reads requests.
  static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder()
          .maxTokenCount(MAX_TOKENS)
          .maxNestingDepth(MAX_DEPTH)
          .maxNameLength(MAX_NAME)
          .maxNumberLength(MAX_NUMBER)
          .maxStringLength(MAX_TEXT)
          .build();

  private final JsonParser in;

  private JsonBounds(JsonParser in) {
    this.in = in;
  }

  /// Refuses with [OutOfBoundsException]; a text that is no JSON fails as the parser does.
  static void check(JsonFactory json, String text, MessageBounds type) throws IOException {
    try (JsonParser in = json.createParser(text)) {
      if (in.nextToken() == JsonToken.START_OBJECT) {
        new JsonBounds(in).object(type);
      }
    }
  }

  private void object(MessageBounds type) throws IOException {
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      FieldBounds field = type.named(in.currentName());
      in.nextToken();
      if (field == null) {
        in.skipChildren();
      } else {
        field(field);
      }
    }
  }

  private void field(FieldBounds field) throws IOException {
    if (field.isMap() && in.currentToken() == JsonToken.START_OBJECT) {
      map(field);
    } else if (field.isList() && in.currentToken() == JsonToken.START_ARRAY) {
      list(field);
    } else {
      item(field, 0);
    }
  }

  private void map(FieldBounds field) throws IOException {
    FieldBounds key = field.nested().key();
    FieldBounds value = field.nested().value();
    for (int i = 0; in.nextToken() == JsonToken.FIELD_NAME; i++) {
      if (i >= field.maxItems()) {
        throw OutOfBoundsException.tooMany(field).in(field);
      }
      try {
        if (key.kind() == FieldBounds.Kind.TEXT) {
          length(in.currentName(), key.maxLen());
        }
        in.nextToken();
        value(value);
      } catch (OutOfBoundsException e) {
        throw e.in(field);
      }
    }
  }

  private void list(FieldBounds field) throws IOException {
    for (int i = 0; in.nextToken() != JsonToken.END_ARRAY; i++) {
      if (i >= field.maxItems()) {
        throw OutOfBoundsException.tooMany(field).in(field);
      }
      item(field, i);
    }
  }

  private void item(FieldBounds field, int index) throws IOException {
    try {
      value(field);
    } catch (OutOfBoundsException e) {
      throw e.in(field, index);
    }
  }

  private void value(FieldBounds field) throws IOException {
    switch (field.kind()) {
      case TEXT -> text(field.maxLen());
      case BYTES -> base64(field.maxBytes());
      case FREE -> free(field.declared(), field.declared().getMaxDepth());
      case MESSAGE -> nested(field);
      case SCALAR, TIMESTAMP -> text(MAX_SCALAR);
    }
  }

  private void nested(FieldBounds field) throws IOException {
    if (!field.isMap() && in.currentToken() == JsonToken.START_OBJECT) {
      object(field.nested());
    } else {
      text(MAX_SCALAR);
    }
  }

  /// Any JSON: nested lists and objects of bounded length and depth.
  private void free(Bounds bounds, int depth) throws IOException {
    if (!in.currentToken().isStructStart()) {
      text(bounds.getMaxLen());
      return;
    }
    if (depth == 0) {
      throw OutOfBoundsException.of("is nested too deeply");
    }
    boolean named = in.currentToken() == JsonToken.START_OBJECT;
    for (int i = 0; !in.nextToken().isStructEnd(); i++) {
      if (i >= bounds.getMaxItems()) {
        throw OutOfBoundsException.of(
            "must have at most " + bounds.getMaxItems() + (named ? " entries" : " items"));
      }
      if (named) {
        length(in.currentName(), bounds.getMaxKeyLen());
        in.nextToken();
      }
      free(bounds, depth - 1);
    }
  }

  private void text(int maxLen) throws IOException {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      in.skipChildren();
    } else if (in.getTextLength() > maxLen) {
      length(in.getText(), maxLen);
    }
  }

  private static void length(String text, int maxLen) {
    if (text.length() > maxLen && text.codePointCount(0, text.length()) > maxLen) {
      throw OutOfBoundsException.tooLong(maxLen);
    }
  }

  /// Four characters encode three bytes; padding encodes none.
  private void base64(int maxBytes) throws IOException {
    if (in.currentToken() != JsonToken.VALUE_STRING) {
      in.skipChildren();
      return;
    }
    char[] text = in.getTextCharacters();
    int start = in.getTextOffset();
    int end = start + in.getTextLength();
    while (end > start && text[end - 1] == '=') {
      end--;
    }
    if ((end - start) * 3L / 4 > maxBytes) {
      throw OutOfBoundsException.tooManyBytes(maxBytes);
    }
  }
}
