package dev.torg.platform.db;

/// COMMIT was sent and its response was lost: the change may or may not be durable. The code that catches it
/// searches for the request's token in the row before it reports an outcome.
public final class CommitUnknown extends RuntimeException {
  public CommitUnknown(Throwable cause) {
    super("the response to COMMIT was lost", cause);
  }
}
