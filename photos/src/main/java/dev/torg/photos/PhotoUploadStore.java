package dev.torg.photos;

import java.nio.file.Path;

/// Stores uploaded files until they are prepared. Both methods block.
public interface PhotoUploadStore {
  /// Stores the file under the photo's id. The file may be deleted afterwards.
  void storeUpload(String photo, Path file);

  /// Deletes the upload of a photo that was not requested.
  void dropUpload(String photo);
}
