package dev.torg.offers;

import dev.torg.api.v1.FeedTask;
import dev.torg.platform.Caller;
import java.io.InputStream;

/// Takes feeds as files, for transports other than gRPC.
public interface Feeds {
  /// Reads the file to its end and returns the task as it is then. Blocks for as long as the sender takes.
  FeedTask upload(Caller caller, FeedUploadRequest feed, InputStream file);

  /// The seller in an address: `me` stands for the caller.
  static String seller(String given, Caller caller) {
    return given.equals("me") ? caller.subject() : given;
  }
}
