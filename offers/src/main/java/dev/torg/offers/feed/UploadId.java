package dev.torg.offers.feed;

/// One request that brings items to a task.
///
/// @param number tells uploads of a seller apart
record UploadId(StoredFeedTask.Key task, int number) {}
