package dev.torg.notifications.rpc;

import dev.torg.api.v1.GetNotificationSettingsRequest;
import dev.torg.api.v1.GetUnreadCountRequest;
import dev.torg.api.v1.ListNotificationsRequest;
import dev.torg.api.v1.ListNotificationsResponse;
import dev.torg.api.v1.ListTopicsRequest;
import dev.torg.api.v1.ListTopicsResponse;
import dev.torg.api.v1.MarkReadRequest;
import dev.torg.api.v1.NotificationServiceGrpc.NotificationServiceImplBase;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationTopic;
import dev.torg.api.v1.UnreadCount;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.bell.BellService;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;

/// The bell on the wire. Its calls wait for the database: serve it on threads that may.
public final class NotificationRpc extends NotificationServiceImplBase {
  private final BellService bell;
  private final SettingsService settings;
  private final NotificationTopics topics;

  public NotificationRpc(BellService bell, SettingsService settings, NotificationTopics topics) {
    this.bell = bell;
    this.settings = settings;
    this.topics = topics;
  }

  @Override
  public void listNotifications(
      ListNotificationsRequest request, StreamObserver<ListNotificationsResponse> answer) {
    send(
        answer,
        bell.list(
            reader(),
            request.getTopicList(),
            request.getUnreadOnly(),
            request.getPageSize(),
            request.getPageToken()));
  }

  @Override
  public void getUnreadCount(GetUnreadCountRequest request, StreamObserver<UnreadCount> answer) {
    send(answer, bell.unreadCount(reader()));
  }

  @Override
  public void markRead(MarkReadRequest request, StreamObserver<UnreadCount> answer) {
    send(
        answer,
        bell.markRead(reader(), request.getIdsList(), request.getTopic(), request.getAll()));
  }

  @Override
  public void getNotificationSettings(
      GetNotificationSettingsRequest request, StreamObserver<NotificationSettings> answer) {
    send(answer, settings.get(reader()));
  }

  @Override
  public void putNotificationSettings(
      NotificationSettings request, StreamObserver<NotificationSettings> answer) {
    send(answer, settings.put(reader(), request));
  }

  @Override
  public void listTopics(ListTopicsRequest request, StreamObserver<ListTopicsResponse> answer) {
    ListTopicsResponse.Builder all = ListTopicsResponse.newBuilder();
    topics
        .all()
        .forEach(
            topic ->
                all.addTopics(
                    NotificationTopic.newBuilder()
                        .setId(topic.id())
                        .setName(topic.name())
                        .setExempt(topic.exempt())));
    send(answer, all.build());
  }

  private static String reader() {
    return CurrentCaller.required().subject();
  }

  private static <T> void send(StreamObserver<T> answer, T value) {
    answer.onNext(value);
    answer.onCompleted();
  }
}
