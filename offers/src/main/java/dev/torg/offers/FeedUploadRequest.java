package dev.torg.offers;

import dev.torg.platform.Failure;
import dev.torg.platform.identity.Subject;

/// What is uploaded: a part or all of a task of a seller's feed.
///
/// @param taskId grows with each feed of a seller
/// @param complete what the task did not name is removed when the upload ends
/// @param force removes even where a guard would stop it
public record FeedUploadRequest(
    String seller, long taskId, FeedFormat format, boolean complete, boolean force) {
  public FeedUploadRequest {
    Subject.parse(seller, "seller");
    if (taskId < 1) {
      throw Failure.invalid("feed.task-id", "bad task id", "taskId", "must be a positive number");
    }
  }
}
