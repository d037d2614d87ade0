package dev.torg.notifications.rpc;

import dev.torg.api.v1.GetNotificationSettingsRequest;
import dev.torg.api.v1.GetUnreadCountRequest;
import dev.torg.api.v1.ListDeliveriesRequest;
import dev.torg.api.v1.ListDeliveriesResponse;
import dev.torg.api.v1.ListNotificationsRequest;
import dev.torg.api.v1.ListNotificationsResponse;
import dev.torg.api.v1.ListTopicsRequest;
import dev.torg.api.v1.ListTopicsResponse;
import dev.torg.api.v1.MarkReadRequest;
import dev.torg.api.v1.NotificationDelivery;
import dev.torg.api.v1.NotificationServiceGrpc.NotificationServiceImplBase;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationTopic;
import dev.torg.api.v1.UnreadCount;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.operation.DeliveryHistory;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;

/// The notification center over gRPC. Its methods block on the database and must run on threads that may block.
public final class NotificationRpc extends NotificationServiceImplBase {
  private final BellService bell;
  private final SettingsService settings;
  private final DeliveryHistory deliveries;
  private final NotificationTopics topics;

  public NotificationRpc(
      BellService bell,
      SettingsService settings,
      DeliveryHistory deliveries,
      NotificationTopics topics) {
    this.bell = bell;
    this.settings = settings;
    this.deliveries = deliveries;
    this.topics = topics;
  }

  @Override
  public void listNotifications(
      ListNotificationsRequest request, StreamObserver<ListNotificationsResponse> response) {
    send(
        response,
        bell.list(
            recipient(),
            request.getTopicList(),
            request.getUnreadOnly(),
            request.getPageSize(),
            request.getPageToken()));
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

  @Override
  public void getNotificationSettings(
      GetNotificationSettingsRequest request, StreamObserver<NotificationSettings> response) {
    send(response, settings.get(recipient()));
  }

  @Override
  public void putNotificationSettings(
      NotificationSettings request, StreamObserver<NotificationSettings> response) {
    send(response, settings.put(recipient(), request));
  }

  @Override
  public void listTopics(ListTopicsRequest request, StreamObserver<ListTopicsResponse> response) {
    ListTopicsResponse.Builder list = ListTopicsResponse.newBuilder();
    topics
        .all()
        .forEach(
            topic ->
                list.addTopics(
                    NotificationTopic.newBuilder()
                        .setId(topic.id())
                        .setName(topic.name())
                        .setExempt(topic.exempt())));
    send(response, list.build());
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
