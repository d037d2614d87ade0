package dev.torg.offers;

import dev.torg.platform.Failure;
import dev.torg.platform.identity.Subject;

/// One upload: all or a part of a task of a seller's feed.
///
/// @param taskId increases with each feed of a seller
/// @param complete whether offers that the task did not name are removed when the upload ends
/// @param force removes offers even if a guard would stop the removal
public record FeedUploadRequest(
    String seller, long taskId, FeedFormat format, boolean complete, boolean force) {
  public FeedUploadRequest {
    Subject.parse(seller, "seller");
    if (taskId < 1) {
      throw Failure.invalid("feed.task-id", "bad task id", "taskId", "must be a positive number");
    }
  }
}
