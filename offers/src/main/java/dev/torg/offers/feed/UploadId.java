package dev.torg.offers.feed;

/// One upload of a task.
///
/// @param number unique among the uploads of a seller
record UploadId(StoredFeedTask.Key task, int number) {}
