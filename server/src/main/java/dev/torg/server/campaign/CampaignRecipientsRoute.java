package dev.torg.server.campaign;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.api.v1.RecipientUploadResult;
import dev.torg.notifications.CampaignUploads;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.server.access.HttpAccessDecorator;
import dev.torg.server.json.ProtoJson;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import dev.torg.server.upload.RefusedBodies;
import dev.torg.server.upload.StallDetectingInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;

/// `POST /v1/campaigns/{id}/recipients`: the body is a list of recipients, one per line, gzipped or not. It is read no
/// faster than its recipients are stored.
public final class CampaignRecipientsRoute {
  private static final List<String> GZIP = List.of("gzip", "x-gzip");
  private static final List<String> PLAIN = List.of("", "identity");

  /// A sender that delivers nothing for this long is considered gone.
  private static final Duration STALL_TIMEOUT = Duration.ofMinutes(1);

  private static final RouteDoc DOC =
      RouteDoc.of("uploadCampaignRecipients", "Sending", "Adds recipients to a campaign")
          .describedAs(
              "The body has one recipient per line (NDJSON): a JSON string such as `\"user:42\"`,"
                  + " or an object with the field `recipient`. It is read as it arrives. Lines that"
                  + " name no recipient are reported and do not fail the upload; recipients that"
                  + " were added before count once, so an upload that was cut off can be repeated."
                  + " Any number of uploads may follow, then `startCampaign`.")
          .accepting("application/x-ndjson")
          .returning(RecipientUploadResult.getDescriptor())
          .failingWith(
              "campaign.not-found", "campaign.closed", "campaign.cut-off", "request.encoding");

  private final CampaignUploads uploads;
  private final RefusedBodies refused = new RefusedBodies();

  public CampaignRecipientsRoute(CampaignUploads uploads) {
    this.uploads = uploads;
  }

  public HttpRoute route() {
    return new HttpRoute(
            HttpMethod.POST,
            "/v1/campaigns/{id}/recipients",
            List.of(CallerKind.SERVICE),
            DOC,
            this::serve)
        .asStream();
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    Caller caller = HttpAccessDecorator.caller(ctx).orElseThrow();
    String campaign = ctx.pathParam("id");
    boolean isGzipped = isGzipped(request);
    StallDetectingInputStream body = StallDetectingInputStream.of(ctx, request, STALL_TIMEOUT);
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () -> respond(caller, String.valueOf(campaign), body, isGzipped),
            ctx.blockingTaskExecutor()));
  }

  private HttpResponse respond(
      Caller caller, String campaign, StallDetectingInputStream body, boolean isGzipped) {
    try (body) {
      return HttpResponse.of(
          MediaType.JSON_UTF_8,
          ProtoJson.print(upload(caller.subject(), campaign, body, isGzipped)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RecipientUploadResult upload(
      String sender, String campaign, StallDetectingInputStream body, boolean isGzipped) {
    try {
      return uploads.upload(sender, campaign, isGzipped ? unpacked(body) : body);
    } catch (Failure failure) {
      refused.drain(body);
      throw failure;
    }
  }

  private static InputStream unpacked(InputStream body) {
    try {
      return new GZIPInputStream(body, 64 * 1024);
    } catch (IOException e) {
      throw Failure.invalid(
          "request.encoding", "bad encoding", "Content-Encoding", "the body is not gzipped");
    }
  }

  private static boolean isGzipped(HttpRequest request) {
    String encoding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING, "");
    if (!PLAIN.contains(encoding) && !GZIP.contains(encoding)) {
      throw Failure.invalid(
          "request.encoding", "bad encoding", "Content-Encoding", "must be gzip or nothing");
    }
    return GZIP.contains(encoding);
  }
}
