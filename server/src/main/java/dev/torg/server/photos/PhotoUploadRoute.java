package dev.torg.server.photos;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.multipart.BodyPart;
import com.linecorp.armeria.common.multipart.Multipart;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.api.v1.Photo;
import dev.torg.offers.PhotoFiles;
import dev.torg.offers.PhotoFiles.PhotoTarget;
import dev.torg.photos.FetchLimits;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.Futures;
import dev.torg.server.access.BodyLength;
import dev.torg.server.access.HttpAccessDecorator;
import dev.torg.server.json.ProtoJson;
import dev.torg.server.problem.HttpProblems;
import dev.torg.server.quota.Bound;
import dev.torg.server.quota.CallsInFlight;
import dev.torg.server.quota.Quota;
import dev.torg.server.quota.Quota.Outcome;
import dev.torg.server.quota.Refusals;
import dev.torg.server.quota.Refusals.Kind;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import io.netty.util.AsciiString;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Receives photos as `multipart/form-data` with one file, streamed to a file of the data
/// directory: no upload is held in memory. Callers who may not add one, or have too many uploads
/// open, are refused before the body is read. The number of uploads bounds their disk space.
public final class PhotoUploadRoute {
  private static final AsciiString IDEMPOTENCY_KEY = HttpHeaderNames.of("idempotency-key");

  /// Long enough for a photo over a slow mobile connection.
  private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(5);

  /// For boundaries and small fields next to the file.
  private static final long FRAME = 256 * 1024;

  /// The part of all uploads that one address may have.
  private static final int ADDRESS_FRACTION = 4;

  private final PhotoFiles photos;
  private final Quota uploads;
  private final Quota byAddress;
  private final Refusals refusals;
  private final UploadDirectory directory;

  /// @param uploads concurrent uploads, by caller
  /// @param directory for this process alone; its contents are deleted
  public PhotoUploadRoute(PhotoFiles photos, Bound uploads, Refusals refusals, Path directory) {
    this.photos = photos;
    this.uploads = new Quota(uploads);
    this.byAddress = new Quota(new Bound(uploads.total(), addressShare(uploads)));
    this.refusals = refusals;
    this.directory = UploadDirectory.open(directory);
  }

  /// One address can create any number of identities, so it gets only a part of all uploads.
  private static long addressShare(Bound uploads) {
    return Math.max(uploads.perKey(), uploads.total() / ADDRESS_FRACTION);
  }

  public List<HttpRoute> routes() {
    return List.of(
        new HttpRoute(
                HttpMethod.POST,
                "/v1/offers/{id}/photos",
                List.of(CallerKind.USER),
                doc("uploadOfferPhoto"),
                (ctx, request) -> serve(ctx, request, () -> photos.ofOffer(caller(ctx), id(ctx))))
            .asUpload(),
        new HttpRoute(
                HttpMethod.POST,
                "/v1/drafts/{id}/photos",
                List.of(CallerKind.ANY_TOKEN),
                doc("uploadDraftPhoto"),
                (ctx, request) -> serve(ctx, request, () -> photos.ofDraft(caller(ctx), id(ctx))))
            .asUpload());
  }

  private static RouteDoc doc(String operationId) {
    return RouteDoc.of(operationId, "Photos", "Adds a photo from a file of at most 20 MB")
        .returning(Photo.getDescriptor())
        .failingWith(
            "photo.too-large",
            "photo.upload",
            "uploads.too-many",
            "uploads.busy",
            "photos.store-away");
  }

  private HttpResponse serve(
      ServiceRequestContext ctx, HttpRequest request, Supplier<PhotoTarget> album) {
    ctx.setRequestTimeout(TimeoutMode.SET_FROM_NOW, UPLOAD_TIMEOUT);
    return HttpResponse.of(
        open(ctx, request, album)
            .thenApply(opened -> HttpResponse.of(respond(ctx, request, opened)))
            .exceptionallyCompose(
                refusal ->
                    BodyLength.discard(ctx, request)
                        .thenApply(_ -> HttpProblems.respond(ctx, refusal))));
  }

  /// The caller's album, after checking that it accepts another photo.
  private CompletableFuture<PhotoTarget> open(
      ServiceRequestContext ctx, HttpRequest request, Supplier<PhotoTarget> album) {
    try {
      requireBounded(request.headers().contentLength() - FRAME);
      acquireUpload(ctx);
      PhotoTarget target = album.get();
      return target.requireOpen(key(request)).thenApply(_ -> target);
    } catch (Failure refusal) {
      return CompletableFuture.failedFuture(refusal);
    }
  }

  /// Until the call ends. A service uploads the photos of many users.
  private void acquireUpload(ServiceRequestContext ctx) {
    Caller caller = caller(ctx);
    boolean service = caller.has(Caller.Role.SERVICE);
    acquire(ctx, uploads, service ? null : caller.subject());
    acquire(ctx, byAddress, service ? null : CallsInFlight.key(ctx));
  }

  private void acquire(ServiceRequestContext ctx, Quota quota, @Nullable String key) {
    Outcome outcome = quota.tryAcquire(key, 1);
    if (outcome != Outcome.ACQUIRED) {
      refusals.count(Kind.UPLOADS);
      throw outcome == Outcome.KEY_FULL
          ? Failure.exhausted("uploads.too-many", "too many photos are being uploaded by you")
          : Failure.unavailable(
              "uploads.busy", "too many photos are being uploaded; try again later", null);
    }
    ctx.log().whenComplete().thenRun(() -> quota.release(key, 1));
  }

  private static Optional<String> key(HttpRequest request) {
    return Optional.ofNullable(request.headers().get(IDEMPOTENCY_KEY));
  }

  private CompletableFuture<HttpResponse> respond(
      ServiceRequestContext ctx, HttpRequest request, PhotoTarget target) {
    ctx.setMaxRequestLength(FetchLimits.MAX_BYTES + FRAME);
    return CompletableFuture.supplyAsync(directory::create, ctx.blockingTaskExecutor())
        .thenCompose(file -> upload(ctx, request, target, file, key(request)))
        .thenApply(photo -> HttpResponse.of(MediaType.JSON_UTF_8, ProtoJson.print(photo)));
  }

  private static CompletableFuture<Photo> upload(
      ServiceRequestContext ctx,
      HttpRequest request,
      PhotoTarget target,
      Path file,
      Optional<String> key) {
    return received(request, file)
        .thenCompose(_ -> target.upload(file, key))
        .whenCompleteAsync((_, _) -> UploadDirectory.delete(file), ctx.blockingTaskExecutor());
  }

  private static CompletableFuture<Path> received(HttpRequest request, Path file) {
    CompletableFuture<List<Boolean>> parts;
    try {
      AtomicLong files = new AtomicLong();
      parts = Multipart.from(request).collect(part -> receivePart(part, file, files));
    } catch (IllegalArgumentException | IllegalStateException e) {
      return CompletableFuture.failedFuture(notOneFile());
    }
    return parts
        .exceptionally(PhotoUploadRoute::refused)
        .thenApply(
            accepted -> {
              if (accepted.stream().filter(isFile -> isFile).count() != 1) {
                throw notOneFile();
              }
              return file;
            });
  }

  /// A failure inside the multipart parser is caused by the client's body.
  private static List<Boolean> refused(Throwable error) {
    Throwable cause = Futures.unwrap(error);
    if (cause.getClass().getName().contains("MimeParsing")) {
      throw notOneFile();
    }
    throw cause instanceof RuntimeException unchecked ? unchecked : new CompletionException(cause);
  }

  /// Whether the part is the file; other parts are skipped. A file that is a little too large is read to
  /// its end, so that its sender receives the reason for the refusal.
  private static CompletableFuture<Boolean> receivePart(
      BodyPart part, Path file, AtomicLong files) {
    if (part.filename() == null || files.incrementAndGet() > 1) {
      return part.content().subscribe().thenApply(_ -> part.filename() != null);
    }
    AtomicLong length = new AtomicLong();
    return part.content()
        .writeTo(
            data ->
                length.addAndGet(data.length()) > FetchLimits.MAX_BYTES ? HttpData.empty() : data,
            file)
        .thenApply(
            _ -> {
              requireBounded(length.get());
              return true;
            });
  }

  private static void requireBounded(long length) {
    if (length > FetchLimits.MAX_BYTES) {
      throw Failure.invalid(
          "photo.too-large", "the photo is too large", "file", "must be at most 20 MB");
    }
  }

  private static Failure notOneFile() {
    return Failure.invalid(
        "photo.upload", "not an upload of a photo", "file", "must be one file in a multipart form");
  }

  private static Caller caller(ServiceRequestContext ctx) {
    return HttpAccessDecorator.caller(ctx).orElseThrow();
  }

  private static String id(ServiceRequestContext ctx) {
    return Objects.requireNonNull(ctx.pathParam("id"));
  }
}
