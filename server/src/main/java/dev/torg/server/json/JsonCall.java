package dev.torg.server.json;

import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.torg.platform.Failure;
import dev.torg.server.access.AdmittedListener;
import dev.torg.server.access.BodyLength;
import dev.torg.server.problem.HttpProblems;
import dev.torg.server.problem.Problems;
import dev.torg.server.quota.RequestMemory;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A unary RPC run in process, whose response becomes an HTTP response. It begins before its request is read,
/// so that the call is authorized first.
final class JsonCall<Q, A> extends ServerCall<Q, A> {
  private static final String IDENTITY = "identity";

  /// Reading this much takes some hundred microseconds.
  private static final int MAX_BYTES_ON_EVENT_LOOP = 16 << 10;

  private static final Executor VIRTUAL =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("torg-json-", 0).factory());

  private final ServerMethodDefinition<Q, A> method;
  private final ServiceRequestContext ctx;
  private final JsonResponses responses;
  private final CompletableFuture<HttpResponse> response = new CompletableFuture<>();
  private volatile @Nullable A sentMessage;
  private volatile boolean cancelled;

  JsonCall(
      ServerMethodDefinition<Q, A> method, ServiceRequestContext ctx, JsonResponses responses) {
    this.method = method;
    this.ctx = ctx;
    this.responses = responses;
  }

  /// `reader` gives the method's own request type: it builds from its prototype.
  HttpResponse run(HttpRequest request, Function<AggregatedHttpRequest, Message> reader) {
    Listener<Q> listener = method.getServerCallHandler().startCall(this, new Metadata());
    if (response.isDone()) {
      return HttpResponse.of(
          BodyLength.discard(ctx, request).thenCombine(response, (_, refusal) -> refusal));
    }
    ctx.whenRequestCancelling().thenAccept(_ -> cancel(listener));
    RequestMemory.counted(ctx, request)
        .aggregate()
        .thenApply(JsonCall::unpacked)
        .thenCompose(whole -> read(whole, reader))
        .thenAccept(message -> receive(listener, message))
        .exceptionally(thrown -> unreadable(listener, Exceptions.peel(thrown)));
    return HttpResponse.of(response);
  }

  /// Compressed bodies are accepted for feeds only: a megabyte of JSON needs no compression, and a
  /// few compressed bytes could expand to many.
  private static AggregatedHttpRequest unpacked(AggregatedHttpRequest request) {
    String encoding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING, IDENTITY);
    if (!encoding.equalsIgnoreCase(IDENTITY)) {
      throw Failure.invalid(
          Problems.ENCODING, "the body is packed", "Content-Encoding", "must not be given");
    }
    return request;
  }

  /// A short body is parsed immediately; a long one, which takes milliseconds, outside the event loop, so that
  /// other calls do not wait. The call continues on the event loop.
  private CompletableFuture<Message> read(
      AggregatedHttpRequest request, Function<AggregatedHttpRequest, Message> reader) {
    if (request.content().length() <= MAX_BYTES_ON_EVENT_LOOP) {
      return CompletableFuture.completedFuture(reader.apply(request));
    }
    CompletableFuture<Message> read = new CompletableFuture<>();
    CompletableFuture.supplyAsync(() -> reader.apply(request), VIRTUAL)
        .whenCompleteAsync((message, thrown) -> complete(read, message, thrown), ctx.eventLoop());
    return read;
  }

  private static void complete(
      CompletableFuture<Message> read, @Nullable Message message, @Nullable Throwable thrown) {
    if (message == null) {
      read.completeExceptionally(
          thrown == null ? new IllegalStateException("nothing was read") : thrown);
    } else {
      read.complete(message);
    }
  }

  @SuppressWarnings("unchecked")
  private void receive(Listener<Q> listener, Message request) {
    try (var _ = ctx.push()) {
      listener.onReady();
      listener.onMessage((Q) request);
      listener.onHalfClose();
    }
  }

  private @Nullable Void unreadable(Listener<Q> listener, Throwable cause) {
    if (listener instanceof AdmittedListener<Q> admitted && !Problems.isClientGone(cause)) {
      admitted.unreadable(cause);
    } else {
      cancel(listener);
      response.complete(HttpProblems.respond(ctx, cause));
    }
    return null;
  }

  @Override
  public void sendMessage(A message) {
    sentMessage = message;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    A message = sentMessage;
    if (status.isOk() && message instanceof MessageOrBuilder printable) {
      responses.print(ctx, printable, response);
    } else {
      Throwable cause = status.getCause();
      response.complete(
          HttpProblems.respond(ctx, cause == null ? status.asRuntimeException() : cause));
    }
  }

  private void cancel(Listener<Q> listener) {
    if (!response.isDone()) {
      cancelled = true;
      listener.onCancel();
    }
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public MethodDescriptor<Q, A> getMethodDescriptor() {
    return method.getMethodDescriptor();
  }

  @Override
  public void request(int numMessages) {}

  @Override
  public void sendHeaders(Metadata headers) {}
}
