package dev.torg.offers;

import dev.torg.api.v1.FeedTask;
import dev.torg.platform.Caller;
import java.io.InputStream;

/// Accepts feeds as files, for transports other than gRPC.
public interface Feeds {
  /// Reads the file to its end and returns the resulting task. Blocks until the sender has sent everything.
  FeedTask upload(Caller caller, FeedUploadRequest feed, InputStream file);

  /// The seller named in a URL: `me` stands for the caller.
  static String seller(String seller, Caller caller) {
    return seller.equals("me") ? caller.subject() : seller;
  }
}
