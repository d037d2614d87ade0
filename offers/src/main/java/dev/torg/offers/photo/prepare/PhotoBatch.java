package dev.torg.offers.photo.prepare;

import dev.torg.api.v1.PhotoRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Requests sorted by photo, in their order.
final class PhotoBatch {
  private PhotoBatch() {}

  static Collection<List<PhotoRequest>> byPhoto(List<PhotoRequest> requests) {
    Map<String, List<PhotoRequest>> sorted = new LinkedHashMap<>();
    requests.forEach(
        request ->
            sorted.computeIfAbsent(request.getPhotoId(), _ -> new ArrayList<>()).add(request));
    return sorted.values();
  }
}
