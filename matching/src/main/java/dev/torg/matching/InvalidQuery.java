package dev.torg.matching;

/// A search that cannot be stored, with the invalid field and a message fit to show.
public final class InvalidQuery extends IllegalArgumentException {
  private final String field;

  public InvalidQuery(String field, String message) {
    super(message);
    this.field = field;
  }

  public String field() {
    return field;
  }
}
