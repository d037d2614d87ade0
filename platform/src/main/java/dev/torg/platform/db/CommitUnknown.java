package dev.torg.platform.db;

/// COMMIT was sent and its answer is lost: the change may or may not be there. Whoever catches it
/// looks for the request's token in the row before saying anything.
public final class CommitUnknown extends RuntimeException {
  public CommitUnknown(Throwable cause) {
    super("the answer to COMMIT was lost", cause);
  }
}
