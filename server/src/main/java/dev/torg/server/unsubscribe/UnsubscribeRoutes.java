package dev.torg.server.unsubscribe;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.api.v1.CallerKind;
import dev.torg.notifications.UnsubscribeService;
import dev.torg.platform.Failure;
import dev.torg.server.problem.HttpProblems;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RouteDoc;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/// `/v1/unsubscribe?t=…`: the signed link of a mail. GET shows a page with a button and changes nothing, because mail
/// scanners fetch links. POST unsubscribes: the button, and the one-click request of mail clients (RFC 8058).
public final class UnsubscribeRoutes {
  private static final String PATH = "/v1/unsubscribe";
  private static final String TOKEN = "t";

  /// Of a failure that a browser shows as a page.
  private static final Set<Failure.Kind> PAGE_KINDS =
      Set.of(Failure.Kind.INVALID, Failure.Kind.CONFLICT);

  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private static final RouteDoc GET =
      RouteDoc.of("showUnsubscribePage", "Devices", "Shows what a link would unsubscribe from")
          .describedAs("A page with a button that sends `POST`. Nothing is changed.")
          .withQuery(TOKEN, "string", true, "The signed token of the link.")
          .returning("text/html")
          .failingWith("unsubscribe.link", "unsubscribe.exempt");

  private static final RouteDoc POST =
      RouteDoc.of("unsubscribe", "Devices", "Unsubscribes by a link")
          .describedAs(
              "Mutes the topic on the channel in the person's settings, without login: the one-click request"
                  + " of RFC 8058. May be repeated. The link of an anonymous identity that was merged into a"
                  + " login acts on the login.")
          .withQuery(TOKEN, "string", true, "The signed token of the link.")
          .returning("text/html")
          .failingWith("unsubscribe.link", "unsubscribe.exempt", "identity.moved");

  private final UnsubscribeService service;

  public UnsubscribeRoutes(UnsubscribeService service) {
    this.service = service;
  }

  public List<HttpRoute> routes() {
    return List.of(
        route(HttpMethod.GET, GET, token -> UnsubscribePage.question(service.find(token))),
        route(HttpMethod.POST, POST, token -> UnsubscribePage.done(service.unsubscribe(token))));
  }

  private static HttpRoute route(HttpMethod method, RouteDoc doc, Function<String, String> page) {
    return new HttpRoute(
        method, PATH, List.of(CallerKind.ANYONE), doc, (ctx, request) -> serve(ctx, request, page));
  }

  private static HttpResponse serve(
      ServiceRequestContext ctx, HttpRequest request, Function<String, String> page) {
    return HttpResponse.of(
        request
            .aggregate()
            .thenApplyAsync(_ -> respond(ctx, request, page), ctx.blockingTaskExecutor()));
  }

  private static HttpResponse respond(
      ServiceRequestContext ctx, HttpRequest request, Function<String, String> page) {
    try {
      return html(HttpStatus.OK, page.apply(token(ctx)));
    } catch (Failure failure) {
      if (!PAGE_KINDS.contains(failure.kind()) || !acceptsHtml(request)) {
        throw failure;
      }
      return html(HttpProblems.status(failure.kind()), UnsubscribePage.failed(language(request)));
    }
  }

  private static String token(ServiceRequestContext ctx) {
    String token = ctx.queryParam(TOKEN);
    return token == null ? "" : token;
  }

  private static boolean acceptsHtml(HttpRequest request) {
    return request.headers().get(HttpHeaderNames.ACCEPT, "").contains("text/html");
  }

  private static Locale language(HttpRequest request) {
    List<Locale.LanguageRange> ranges = request.acceptLanguages();
    return ranges == null || ranges.isEmpty()
        ? Locale.ENGLISH
        : Locale.forLanguageTag(ranges.getFirst().getRange());
  }

  /// The address of the page contains the token, so nothing may keep or pass it on.
  private static HttpResponse html(HttpStatus status, String page) {
    ResponseHeaders headers =
        ResponseHeaders.builder(status)
            .contentType(MediaType.HTML_UTF_8)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
            .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
            .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
            .build();
    return HttpResponse.of(headers, HttpData.ofUtf8(page));
  }
}
