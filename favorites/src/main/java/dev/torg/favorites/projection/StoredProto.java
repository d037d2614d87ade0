package dev.torg.favorites.projection;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.torg.api.v1.SearchQuery;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads what the tables keep as bytes.
final class StoredProto {
  private static final Logger LOG = LoggerFactory.getLogger(StoredProto.class);

  private StoredProto() {}

  /// Empty, with a line in the log, if it cannot be read.
  static Optional<SearchQuery> readable(String searchId, byte[] bytes) {
    try {
      return Optional.of(SearchQuery.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      LOG.error("the query of search {} cannot be read", searchId, e);
      return Optional.empty();
    }
  }

  static SearchQuery query(byte[] bytes) {
    try {
      return SearchQuery.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a stored query cannot be read", e);
    }
  }
}
