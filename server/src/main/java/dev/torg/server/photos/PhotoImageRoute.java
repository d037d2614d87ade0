package dev.torg.server.photos;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.photos.Blob;
import dev.torg.photos.PhotoImages;
import dev.torg.photos.PhotoImages.Access;
import dev.torg.platform.Failure;
import dev.torg.server.access.HttpAccessDecorator;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// `GET /photos/{photoId}/{size}`. An image never changes, but its offer may be banned or removed: clients
/// revalidate after a short while and receive 304 while it is visible.
public final class PhotoImageRoute {
  private static final String SHORT = "public, max-age=" + Access.MAX_AGE.toSeconds();
  private static final String NO_STORE = "no-store";
  private static final String PRIVATE = "private, no-store";
  private static final MediaType TYPE = MediaType.parse(PhotoImages.CONTENT_TYPE);

  private final PhotoImages photos;

  public PhotoImageRoute(PhotoImages photos) {
    this.photos = photos;
  }

  public List<HttpRoute> routes() {
    return List.of(route(HttpMethod.GET), route(HttpMethod.HEAD));
  }

  private HttpRoute route(HttpMethod method) {
    return new HttpRoute(
            method,
            "/photos/{photoId}/{size}",
            List.of(CallerKind.ANYONE),
            doc(method),
            this::serve)
        .asStream();
  }

  private static RouteDoc doc(HttpMethod method) {
    return method == HttpMethod.GET
        ? RouteDoc.of("getPhotoImage", "Photos", "Returns the image of a photo")
            .describedAs(
                "The photo must be READY. `size` is `thumb`, `card` or `full`; the image is a JPEG. Images of"
                    + " offers that are not public are returned to their owner only.")
            .returning(PhotoImages.CONTENT_TYPE)
            .failingWith("photo.not-found", "photos.store-away")
        : RouteDoc.of("headPhotoImage", "Photos", "Returns the headers of a photo's image")
            .failingWith("photo.not-found", "photos.store-away");
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    String photo = Objects.requireNonNull(ctx.pathParam("photoId"));
    String size = Objects.requireNonNull(ctx.pathParam("size"));
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () -> respond(ctx, request, photo, size), ctx.blockingTaskExecutor()));
  }

  private HttpResponse respond(
      ServiceRequestContext ctx, HttpRequest request, String photo, String size) {
    Access access = photos.access(photo, HttpAccessDecorator.caller(ctx));
    if (access == Access.NONE) {
      ctx.setAdditionalResponseHeader(HttpHeaderNames.CACHE_CONTROL, NO_STORE);
      throw notFound();
    }
    String cache = access == Access.PUBLIC ? SHORT : PRIVATE;
    String tag = '"' + photos.etag(photo, size).orElseThrow(PhotoImageRoute::notFound) + '"';
    if (isKnown(request.headers().get(HttpHeaderNames.IF_NONE_MATCH), tag)) {
      return HttpResponse.of(headers(HttpStatus.NOT_MODIFIED, tag, cache).build());
    }
    Blob blob = photos.image(photo, size).orElseThrow(PhotoImageRoute::notFound);
    ResponseHeaders headers =
        headers(HttpStatus.OK, tag, cache).contentType(TYPE).contentLength(blob.length()).build();
    if (request.method() == HttpMethod.HEAD) {
      blob.close();
      return HttpResponse.of(headers);
    }
    return BlobResponse.of(ctx, headers, blob);
  }

  private static ResponseHeadersBuilder headers(HttpStatus status, String tag, String cache) {
    return ResponseHeaders.builder(status)
        .set(HttpHeaderNames.CACHE_CONTROL, cache)
        .set(HttpHeaderNames.ETAG, tag)
        .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
  }

  private static boolean isKnown(@Nullable String ifNoneMatch, String tag) {
    return ifNoneMatch != null
        && Arrays.stream(ifNoneMatch.split(",", -1))
            .map(etag -> etag.strip().replaceFirst("^W/", ""))
            .anyMatch(etag -> etag.equals(tag) || etag.equals("*"));
  }

  private static Failure notFound() {
    return Failure.notFound("photo.not-found", "no such photo");
  }
}
