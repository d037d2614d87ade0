package dev.torg.notifications.rpc;

import dev.torg.api.v1.GetUnreadCountRequest;
import dev.torg.api.v1.ListDeliveriesRequest;
import dev.torg.api.v1.ListDeliveriesResponse;
import dev.torg.api.v1.ListNotificationsRequest;
import dev.torg.api.v1.ListNotificationsResponse;
import dev.torg.api.v1.MarkReadRequest;
import dev.torg.api.v1.NotificationDelivery;
import dev.torg.api.v1.NotificationServiceGrpc.NotificationServiceImplBase;
import dev.torg.api.v1.UnreadCount;
import dev.torg.notifications.bell.BellFilter;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.operation.DeliveryHistory;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/// A caller's bell over gRPC. Its methods block on the database and must run on threads that may block.
public final class NotificationRpc extends NotificationServiceImplBase {
  private final BellService bell;
  private final DeliveryHistory deliveries;

  public NotificationRpc(BellService bell, DeliveryHistory deliveries) {
    this.bell = bell;
    this.deliveries = deliveries;
  }

  @Override
  public void listNotifications(
      ListNotificationsRequest request, StreamObserver<ListNotificationsResponse> response) {
    send(
        response,
        bell.list(recipient(), filter(request), request.getPageSize(), request.getPageToken()));
  }

  @Override
  public void getUnreadCount(GetUnreadCountRequest request, StreamObserver<UnreadCount> response) {
    send(response, bell.unreadCount(recipient()));
  }

  @Override
  public void markRead(MarkReadRequest request, StreamObserver<UnreadCount> response) {
    send(
        response,
        bell.markRead(recipient(), request.getIdsList(), request.getTopic(), request.getAll()));
  }

  private static BellFilter filter(ListNotificationsRequest request) {
    Optional<Boolean> read = request.hasRead() ? Optional.of(request.getRead()) : Optional.empty();
    return new BellFilter(request.getTopicList(), request.getUnreadOnly(), read);
  }

  @Override
  public void listDeliveries(
      ListDeliveriesRequest request, StreamObserver<ListDeliveriesResponse> response) {
    ListDeliveriesResponse.Builder list = ListDeliveriesResponse.newBuilder();
    deliveries
        .find(request.getId(), request.getRecipient())
        .forEach(
            attempt ->
                list.addDeliveries(
                    NotificationDelivery.newBuilder()
                        .setChannel(attempt.channel().name())
                        .setAt(EpochMicros.timestamp(attempt.at()))
                        .setOutcome(attempt.outcome().name())
                        .setReason(attempt.reason())
                        .setRecipient(attempt.owner())));
    send(response, list.build());
  }

  private static String recipient() {
    return CurrentCaller.required().subject();
  }

  private static <T> void send(StreamObserver<T> response, T value) {
    response.onNext(value);
    response.onCompleted();
  }
}
