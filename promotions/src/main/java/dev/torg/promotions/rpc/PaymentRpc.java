package dev.torg.promotions.rpc;

import dev.torg.api.v1.GetPaymentRequest;
import dev.torg.api.v1.ListPaymentsRequest;
import dev.torg.api.v1.ListPaymentsResponse;
import dev.torg.api.v1.Payment;
import dev.torg.api.v1.PaymentServiceGrpc;
import dev.torg.api.v1.RefundPaymentRequest;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.promotions.PaymentId;
import dev.torg.promotions.payment.PaymentPage;
import dev.torg.promotions.payment.PaymentService;
import io.grpc.stub.StreamObserver;

/// The gRPC adapter of payments.
public final class PaymentRpc extends PaymentServiceGrpc.PaymentServiceImplBase {
  private final PaymentService payments;

  public PaymentRpc(PaymentService payments) {
    this.payments = payments;
  }

  @Override
  public void listPayments(
      ListPaymentsRequest request, StreamObserver<ListPaymentsResponse> response) {
    PaymentPage page =
        payments.list(CurrentCaller.required(), request.getPageSize(), request.getPageToken());
    ListPaymentsResponse.Builder message =
        ListPaymentsResponse.newBuilder().setNextPageToken(page.nextPageToken());
    page.payments().forEach(payment -> message.addPayments(PromotionProtoMapper.payment(payment)));
    response.onNext(message.build());
    response.onCompleted();
  }

  @Override
  public void getPayment(GetPaymentRequest request, StreamObserver<Payment> response) {
    response.onNext(
        PromotionProtoMapper.payment(
            payments.get(CurrentCaller.required(), new PaymentId(request.getId()))));
    response.onCompleted();
  }

  @Override
  public void refundPayment(RefundPaymentRequest request, StreamObserver<Payment> response) {
    response.onNext(
        PromotionProtoMapper.payment(
            payments.refund(
                new PaymentId(request.getId()), request.getReason(), CurrentCaller.required())));
    response.onCompleted();
  }
}
