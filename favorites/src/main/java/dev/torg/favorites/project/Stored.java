package dev.torg.favorites.project;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.SearchQuery;

/// Reads what the tables keep as bytes.
final class Stored {
  private Stored() {}

  static SearchQuery query(byte[] bytes) {
    try {
      return SearchQuery.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored query cannot be read", e);
    }
  }
}
