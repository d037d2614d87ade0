package dev.torg.server.route;

import com.google.common.util.concurrent.MoreExecutors;
import com.linecorp.armeria.common.util.SafeCloseable;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/// Runs the callbacks of blocking services (files, slow queries, other servers) on virtual threads, in order, instead of
/// on the event loop.
final class VirtualThreadInterceptor implements ServerInterceptor {
  private static final Executor VIRTUAL =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("torg-rpc-", 0).factory());

  private final Set<String> nonBlocking;

  /// Applies to all methods but the named ones.
  VirtualThreadInterceptor(Set<String> nonBlocking) {
    this.nonBlocking = Set.copyOf(nonBlocking);
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String method = call.getMethodDescriptor().getBareMethodName();
    if (method != null && nonBlocking.contains(method)) {
      return next.startCall(call, headers);
    }
    return new BlockingListener<>(
        next.startCall(call, headers), call, Context.current(), ServiceRequestContext.current());
  }

  private static final class BlockingListener<Q> extends ServerCall.Listener<Q> {
    private final ServerCall.Listener<Q> service;
    private final ServerCall<Q, ?> call;
    private final Context context;
    private final ServiceRequestContext request;
    private final Executor inOrder = MoreExecutors.newSequentialExecutor(VIRTUAL);

    private BlockingListener(
        ServerCall.Listener<Q> service,
        ServerCall<Q, ?> call,
        Context context,
        ServiceRequestContext request) {
      this.service = service;
      this.call = call;
      this.context = context;
      this.request = request;
    }

    @Override
    public void onMessage(Q message) {
      run(() -> service.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      run(service::onHalfClose);
    }

    @Override
    public void onCancel() {
      run(service::onCancel);
    }

    @Override
    public void onComplete() {
      run(service::onComplete);
    }

    @Override
    public void onReady() {
      run(service::onReady);
    }

    private void run(Runnable callback) {
      inOrder.execute(
          () -> {
            Context before = context.attach();
            try (SafeCloseable _ = request.push()) {
              callback.run();
            } catch (RuntimeException | Error e) {
              call.close(Status.fromThrowable(e), new Metadata());
            } finally {
              context.detach(before);
            }
          });
    }
  }
}
