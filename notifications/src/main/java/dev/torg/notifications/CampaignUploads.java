package dev.torg.notifications;

import dev.torg.api.v1.RecipientUploadResult;
import java.io.InputStream;

/// Receives recipients of campaigns as files.
public interface CampaignUploads {
  /// Adds the recipients of a file: on each line a JSON string, or an object with the field `recipient`. The file is read
  /// as fast as its recipients are stored. What was added before a failure stays: the upload can be repeated. Blocks.
  RecipientUploadResult upload(String sender, String campaign, InputStream file);
}
