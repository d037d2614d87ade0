package dev.torg.promotions.provider.stripe;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// A server that speaks the part of Stripe's protocol that is used: Checkout sessions and refunds, authentication,
/// idempotency keys, and errors in Stripe's form. A test pays sessions and injects faults.
final class FakeStripe implements AutoCloseable {
  static final String KEY = "sk_test_local";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// What happens to the next request instead of, or after, its processing.
  enum Fault {
    /// Not processed; status 500.
    SERVER_ERROR,
    /// Not processed; the page of a proxy.
    HTML,
    /// Not processed; status 502 without a body.
    EMPTY,
    /// Not processed; status 429.
    RATE_LIMIT,
    /// Not processed; a request with the same key is in progress.
    KEY_IN_USE,
    /// Processed, and the response is lost.
    LOST_RESPONSE,
    /// Not processed; no response until the server is closed.
    HANG
  }

  private record Reply(int status, ObjectNode body) {}

  private record Injected(String request, Fault fault) {}

  private record Stored(String request, Reply reply) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<String, ObjectNode> sessions = new ConcurrentHashMap<>();
  private final List<ObjectNode> refunds = new CopyOnWriteArrayList<>();
  private final Map<String, Stored> byKey = new ConcurrentHashMap<>();
  private final List<Map<String, String>> created = new CopyOnWriteArrayList<>();
  private final Queue<Injected> faults = new ConcurrentLinkedQueue<>();
  private volatile String refundStatus = "succeeded";

  FakeStripe() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /// For the next requests, one each, that begin like this: `POST /v1/refunds`.
  void inject(String request, Fault... next) {
    for (Fault fault : next) {
      faults.add(new Injected(request, fault));
    }
  }

  /// Whether every fault has happened.
  boolean isFaultless() {
    return faults.isEmpty();
  }

  /// The parameters of the sessions that were created.
  List<Map<String, String>> created() {
    return created;
  }

  int refundCount() {
    return refunds.size();
  }

  void useRefundStatus(String status) {
    refundStatus = status;
    refunds.forEach(refund -> refund.put("status", status));
  }

  /// Stripe forgets keys after a day.
  void forgetKeys() {
    byKey.clear();
  }

  void pay(String session) {
    sessions.get(session).put("payment_status", "paid").put("status", "complete");
  }

  void expire(String session) {
    sessions.get(session).put("status", "expired");
  }

  private void serve(HttpExchange call) throws IOException {
    try (call) {
      Map<String, String> params = parameters(call);
      Fault fault = nextFault(call.getRequestMethod() + " " + call.getRequestURI());
      if (fault != null && fault != Fault.LOST_RESPONSE) {
        fail(call, fault);
        return;
      }
      Reply reply = authorized(call, params);
      if (fault == null) {
        send(call, reply.status, reply.body.toString());
      }
    }
  }

  private synchronized @Nullable Fault nextFault(String request) {
    Injected next = faults.peek();
    if (next == null || !request.startsWith(next.request)) {
      return null;
    }
    faults.remove();
    return next.fault;
  }

  private void fail(HttpExchange call, Fault fault) throws IOException {
    switch (fault) {
      case SERVER_ERROR -> send(call, error(500, "api_error", "Something went wrong"));
      case HTML -> send(call, 502, "<html><body>Bad gateway</body></html>");
      case EMPTY -> call.sendResponseHeaders(502, -1);
      case RATE_LIMIT -> send(call, error(429, "invalid_request_error", "Too many requests"));
      case KEY_IN_USE -> send(call, error(409, "idempotency_error", "Key in use"));
      case LOST_RESPONSE -> throw new IllegalStateException("is processed");
      case HANG -> awaitClose();
    }
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Reply authorized(HttpExchange call, Map<String, String> params) {
    return ("Bearer " + KEY).equals(call.getRequestHeaders().getFirst("Authorization"))
        ? idempotent(call, params)
        : error(401, "invalid_request_error", "Invalid API Key provided: sk_test_********");
  }

  /// The same key with the same request has the stored reply; with another request it is refused.
  private synchronized Reply idempotent(HttpExchange call, Map<String, String> params) {
    String key = call.getRequestHeaders().getFirst("Idempotency-Key");
    if (key == null || !call.getRequestMethod().equals("POST")) {
      return process(call, params);
    }
    String request = call.getRequestURI() + " " + params;
    Stored stored = byKey.computeIfAbsent(key, _ -> new Stored(request, process(call, params)));
    return stored.request.equals(request)
        ? stored.reply
        : error(400, "idempotency_error", "Keys can only be used with the same parameters");
  }

  private Reply process(HttpExchange call, Map<String, String> params) {
    String path = call.getRequestMethod() + " " + call.getRequestURI().getPath();
    String session = "GET /v1/checkout/sessions/";
    if (path.startsWith(session)) {
      return findSession(path.substring(session.length()));
    }
    return switch (path) {
      case "POST /v1/checkout/sessions" -> createSession(params);
      case "GET /v1/refunds" -> listRefunds(params.get("payment_intent"));
      case "POST /v1/refunds" -> createRefund(params);
      default -> error(404, "invalid_request_error", "Unrecognized request URL");
    };
  }

  private Reply createSession(Map<String, String> params) {
    long total = 0;
    for (int line = 0; params.containsKey("line_items[" + line + "][quantity]"); line++) {
      total += Long.parseLong(params.get("line_items[" + line + "][price_data][unit_amount]"));
    }
    if (total < 50) {
      return error(400, "invalid_request_error", "Amount must be at least 50 cents");
    }
    created.add(params);
    String id = "cs_test_" + created.size();
    ObjectNode session =
        JSON.objectNode()
            .put("id", id)
            .put("object", "checkout.session")
            .put("url", "https://checkout.stripe.example/c/pay/" + id)
            .put("status", "open")
            .put("payment_status", "unpaid")
            .put("client_reference_id", params.get("client_reference_id"))
            .put("amount_total", total)
            .put("currency", params.get("line_items[0][price_data][currency]"));
    sessions.put(id, session);
    return new Reply(200, session);
  }

  private Reply findSession(String id) {
    ObjectNode session = sessions.get(id);
    if (session == null) {
      return error(404, "invalid_request_error", "No such checkout.session: " + id);
    }
    ObjectNode expanded = session.deepCopy();
    if (session.path("payment_status").asText().equals("paid")) {
      expanded.set("payment_intent", paymentIntent(id));
    }
    return new Reply(200, expanded);
  }

  private ObjectNode paymentIntent(String session) {
    String id = "pi_of_" + session;
    ObjectNode intent = JSON.objectNode().put("id", id).put("object", "payment_intent");
    intent
        .putObject("latest_charge")
        .put("id", "ch_of_" + session)
        .put("object", "charge")
        .put("amount_refunded", refunded(id));
    return intent;
  }

  private long refunded(String paymentIntent) {
    return refunds.stream()
        .filter(refund -> refund.path("payment_intent").asText().equals(paymentIntent))
        .mapToLong(refund -> refund.path("amount").longValue())
        .sum();
  }

  private Reply listRefunds(String paymentIntent) {
    ObjectNode page =
        JSON.objectNode().put("object", "list").put("has_more", false).put("url", "/v1/refunds");
    ArrayNode data = page.putArray("data");
    refunds.stream()
        .filter(refund -> refund.path("payment_intent").asText().equals(paymentIntent))
        .forEach(data::add);
    return new Reply(200, page);
  }

  private Reply createRefund(Map<String, String> params) {
    String intent = params.get("payment_intent");
    long amount = Long.parseLong(params.get("amount"));
    long paid = sessions.get(intent.replace("pi_of_", "")).path("amount_total").longValue();
    if (amount > paid - refunded(intent)) {
      return error(400, "invalid_request_error", "Refund amount is greater than the charge");
    }
    ObjectNode refund =
        JSON.objectNode()
            .put("id", "re_" + (refunds.size() + 1))
            .put("object", "refund")
            .put("payment_intent", intent)
            .put("amount", amount)
            .put("status", refundStatus);
    refund.putObject("metadata").put("torg_refund", params.get("metadata[torg_refund]"));
    refunds.add(refund);
    return new Reply(200, refund);
  }

  private static Reply error(int status, String type, String message) {
    ObjectNode body = JSON.objectNode();
    body.putObject("error").put("type", type).put("message", message);
    return new Reply(status, body);
  }

  private static void send(HttpExchange call, Reply reply) throws IOException {
    send(call, reply.status, reply.body.toString());
  }

  private static void send(HttpExchange call, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    call.getResponseHeaders().set("Content-Type", "application/json");
    call.getResponseHeaders().set("Request-Id", "req_local");
    call.sendResponseHeaders(status, bytes.length);
    call.getResponseBody().write(bytes);
  }

  private static Map<String, String> parameters(HttpExchange call) throws IOException {
    Map<String, String> parameters = new TreeMap<>();
    List<String> forms = new ArrayList<>();
    forms.add(new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    forms.add(String.valueOf(call.getRequestURI().getRawQuery()));
    for (String form : forms) {
      for (String pair : form.split("&", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          parameters.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        }
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /// Without effect the second time.
  @Override
  public void close() {
    if (closed.getCount() > 0) {
      closed.countDown();
      server.stop(0);
      threads.shutdownNow();
    }
  }
}
