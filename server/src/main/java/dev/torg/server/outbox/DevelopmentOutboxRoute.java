package dev.torg.server.outbox;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.notifications.CapturedMessage;
import dev.torg.notifications.DevelopmentOutbox;
import dev.torg.platform.Failure;
import dev.torg.server.DevelopmentLogin;
import dev.torg.server.access.RequestOrigin;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// `GET /dev/outbox`: a page, or JSON. On where the development login is, and for requests of this machine only, even if
/// the login is open to others.
public final class DevelopmentOutboxRoute {
  /// Mails may show images; nothing may run, and nothing else may be loaded. It applies to the frames of mails, too, so
  /// that `frame-ancestors 'none'` would leave them empty.
  private static final String CONTENT_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; frame-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

  private final DevelopmentOutbox outbox;
  private final DevelopmentLogin login;

  public DevelopmentOutboxRoute(DevelopmentOutbox outbox, DevelopmentLogin login) {
    this.outbox = outbox;
    this.login = login;
  }

  public HttpRoute route() {
    return new HttpRoute(
        HttpMethod.GET, "/dev/outbox", List.of(CallerKind.ANYONE), doc(), this::serve);
  }

  private static RouteDoc doc() {
    return RouteDoc.of(
            "getDevelopmentOutbox", "Development", "Shows the mails and SMS that would be sent")
        .describedAs(
            "The newest first: `[{channel, to, subject, text, html, at}]`. Clients that do not accept JSON receive"
                + " a page. For the developer of this machine only; filled while no mail server or SMS gateway is"
                + " configured.")
        .returning("application/json")
        .failingWith("outbox.disabled", "outbox.not-local");
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    requireDevelopment(ctx.remoteAddress().getAddress(), request.headers());
    boolean json = acceptsJson(request.headers());
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () -> respond(outbox.latest(), json), ctx.blockingTaskExecutor()));
  }

  private void requireDevelopment(InetAddress client, RequestHeaders headers) {
    if (login == DevelopmentLogin.OFF) {
      throw Failure.forbidden("outbox.disabled", "the development outbox is off on this server");
    }
    if (!client.isLoopbackAddress() || !RequestOrigin.isLocal(headers)) {
      throw Failure.forbidden(
          "outbox.not-local",
          "the development outbox is for this machine only: call it as localhost, without a proxy");
    }
  }

  private static boolean acceptsJson(RequestHeaders headers) {
    return headers.accept().stream().anyMatch(type -> type.is(MediaType.JSON));
  }

  private static HttpResponse respond(List<CapturedMessage> messages, boolean json) {
    HttpData body = HttpData.ofUtf8(json ? json(messages) : DevelopmentOutboxPage.render(messages));
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(json ? MediaType.JSON : MediaType.HTML_UTF_8)
            .contentLength(body.length())
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .set(HttpHeaderNames.VARY, "accept")
            .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
            .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, CONTENT_POLICY)
            .build(),
        body);
  }

  private static String json(List<CapturedMessage> messages) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    messages.forEach(
        message ->
            array
                .addObject()
                .put("channel", message.channel().name())
                .put("to", message.to())
                .put("subject", message.subject())
                .put("text", message.text())
                .put("html", message.html())
                .put("at", message.at().toString()));
    return array.toString();
  }
}
