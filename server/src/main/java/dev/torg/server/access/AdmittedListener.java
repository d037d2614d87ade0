package dev.torg.server.access;

import io.grpc.Context;
import io.grpc.ServerCall;
import java.util.function.IntConsumer;

/// Runs the service's callbacks in the caller's context. An exception thrown by a service ends the
/// call as `onError` would.
public final class AdmittedListener<Q> extends ServerCall.Listener<Q> {
  private final ServerCall.Listener<Q> service;
  private final MeasuredCall<Q, ?> call;
  private final Context context;
  private final Runnable messageReceived;
  private final IntConsumer itemCharge;

  AdmittedListener(
      ServerCall.Listener<Q> service,
      MeasuredCall<Q, ?> call,
      Context context,
      Runnable messageReceived,
      IntConsumer itemCharge) {
    this.messageReceived = messageReceived;
    this.itemCharge = itemCharge;
    this.service = service;
    this.call = call;
    this.context = context;
  }

  /// Ends the call before the service has seen it: its request cannot be read.
  public void unreadable(Throwable cause) {
    call.failed(cause);
  }

  @Override
  public void onMessage(Q message) {
    messageReceived.run();
    Context before = context.attach();
    try {
      itemCharge.accept(BatchCost.items(message));
      NulCharacters.refuse(message);
      service.onMessage(message);
    } catch (RuntimeException | Error e) {
      call.failed(e);
    } finally {
      context.detach(before);
    }
  }

  @Override
  public void onHalfClose() {
    Context before = context.attach();
    try {
      service.onHalfClose();
    } catch (RuntimeException | Error e) {
      call.failed(e);
    } finally {
      context.detach(before);
    }
  }

  @Override
  public void onCancel() {
    Context before = context.attach();
    try {
      service.onCancel();
    } finally {
      context.detach(before);
    }
  }

  @Override
  public void onComplete() {
    service.onComplete();
  }

  @Override
  public void onReady() {
    Context before = context.attach();
    try {
      service.onReady();
    } finally {
      context.detach(before);
    }
  }
}
