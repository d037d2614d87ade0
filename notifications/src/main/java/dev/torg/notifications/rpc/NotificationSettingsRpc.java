package dev.torg.notifications.rpc;

import dev.torg.api.v1.GetNotificationSettingsRequest;
import dev.torg.api.v1.ListTopicsRequest;
import dev.torg.api.v1.ListTopicsResponse;
import dev.torg.api.v1.NotificationSettings;
import dev.torg.api.v1.NotificationSettingsServiceGrpc.NotificationSettingsServiceImplBase;
import dev.torg.api.v1.NotificationTopic;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.settings.AcceptedLanguage;
import dev.torg.notifications.settings.SettingsService;
import dev.torg.platform.Caller;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;

/// A caller's notification settings and the topics over gRPC. Its methods block on the database and must run on threads
/// that may block.
public final class NotificationSettingsRpc extends NotificationSettingsServiceImplBase {
  private final SettingsService settings;
  private final NotificationTopics topics;

  public NotificationSettingsRpc(SettingsService settings, NotificationTopics topics) {
    this.settings = settings;
    this.topics = topics;
  }

  @Override
  public void getNotificationSettings(
      GetNotificationSettingsRequest request, StreamObserver<NotificationSettings> response) {
    send(response, settings.get(CurrentCaller.required().subject()));
  }

  @Override
  public void putNotificationSettings(
      NotificationSettings request, StreamObserver<NotificationSettings> response) {
    send(response, settings.put(CurrentCaller.required().subject(), request));
  }

  @Override
  public void listTopics(ListTopicsRequest request, StreamObserver<ListTopicsResponse> response) {
    String language = language();
    ListTopicsResponse.Builder list = ListTopicsResponse.newBuilder();
    topics
        .all()
        .forEach(
            topic ->
                list.addTopics(
                    NotificationTopic.newBuilder()
                        .setId(topic.id())
                        .setName(topic.name(language))
                        .setExempt(topic.exempt())));
    send(response, list.build());
  }

  private String language() {
    return CurrentCaller.get()
        .map(Caller::subject)
        .flatMap(settings::language)
        .orElseGet(() -> AcceptedLanguage.of(CurrentCaller.acceptLanguage()));
  }

  private static <T> void send(StreamObserver<T> response, T value) {
    response.onNext(value);
    response.onCompleted();
  }
}
