package dev.torg.photos.prepare;

import dev.torg.photos.Blob;
import dev.torg.photos.PhotoImages;
import dev.torg.photos.image.PhotoSize;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import java.util.Optional;

/// Serves pictures from the blob store.
public final class PreparedPhotoImages implements PhotoImages {
  private final PhotoContentLookup contents;
  private final PhotoVisibility visibility;

  public PreparedPhotoImages(PhotoContentLookup contents, PhotoVisibility visibility) {
    this.contents = contents;
    this.visibility = visibility;
  }

  @Override
  public Access access(String photo, Optional<Caller> caller) {
    return switch (visibility.of(photo)) {
      case EVERYONE -> Access.PUBLIC;
      case MODERATORS ->
          caller.filter(PreparedPhotoImages::isModerator).isPresent()
              ? Access.PRIVATE
              : Access.NONE;
      case NONE -> Access.NONE;
    };
  }

  private static boolean isModerator(Caller caller) {
    return caller.has(Role.MODERATOR) || caller.has(Role.ADMIN);
  }

  @Override
  public Optional<String> etag(String photo, String size) {
    return PhotoSize.named(size)
        .flatMap(named -> contents.content(photo).map(_ -> photo + "-" + named.key()));
  }

  @Override
  public Optional<Blob> image(String photo, String size) {
    return PhotoSize.named(size)
        .flatMap(
            named -> contents.content(photo).flatMap(content -> contents.open(content, named)));
  }
}
