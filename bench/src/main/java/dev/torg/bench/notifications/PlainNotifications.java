package dev.torg.bench.notifications;

import com.google.common.hash.Hashing;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.api.v1.SendNotificationResponse;
import dev.torg.api.v1.SentNotification;
import dev.torg.bench.wire.PlainNotificationsGrpc;
import dev.torg.notifications.sending.MessageSequence;
import dev.torg.notifications.sending.SendingTopics;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.Tx;
import dev.torg.platform.outbox.Outbox;
import dev.torg.platform.outbox.OutboxMessage;
import dev.torg.platform.rpc.CurrentCaller;
import io.grpc.stub.StreamObserver;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The baselines of sending, written as most services are: each request has its own transaction on one of 32
/// connections and sends its statements one by one. Nothing is validated, which saves them work.
final class PlainNotifications extends PlainNotificationsGrpc.PlainNotificationsImplBase {
  private static final int CONNECTIONS = 32;

  private static final String RECORD =
      """
      INSERT INTO accepted_notification (home, sender, id, recipients, accepted_at, body_hash)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (home, sender, id) DO NOTHING
      """;

  private final Database database;
  private final Outbox outbox;
  private final MessageSequence sequence = new MessageSequence(InstantSource.system());

  PlainNotifications(String url, Outbox outbox) {
    this.database = Database.connect(url, CONNECTIONS);
    this.outbox = outbox;
  }

  /// The same record and messages as the real call, which are sent and written to bells as its own are.
  @Override
  public void send(
      SendNotificationRequest request, StreamObserver<SendNotificationResponse> response) {
    String sender = CurrentCaller.required().subject();
    Instant now = Instant.now();
    database.transact(
        tx -> {
          if (insert(tx, sender, request, now)) {
            outbox.append(tx, messages(sender, request, now));
          }
        });
    accepted(request, response);
  }

  /// Only the record: the least that a durable service writes. Nothing happens afterwards.
  @Override
  public void record(
      SendNotificationRequest request, StreamObserver<SendNotificationResponse> response) {
    String sender = CurrentCaller.required().subject();
    var _ = database.inTransaction(tx -> insert(tx, sender, request, Instant.now()));
    accepted(request, response);
  }

  private static boolean insert(Tx tx, String sender, SendNotificationRequest request, Instant now)
      throws SQLException {
    return tx.sql(RECORD)
            .set(home(sender, request))
            .set(sender)
            .set(request.getId())
            .set(request.getRecipientsCount())
            .set(now)
            .set(Hashing.sha256().hashBytes(request.toByteArray()).asBytes())
            .update()
        > 0;
  }

  private List<OutboxMessage> messages(
      String sender, SendNotificationRequest request, Instant now) {
    byte[] message =
        SentNotification.newBuilder()
            .setSender(sender)
            .setId(request.getId())
            .setTopic(request.getTopic())
            .setContent(request.getContent())
            .setAcceptedAt(EpochMicros.timestamp(now))
            .build()
            .toByteArray();
    List<OutboxMessage> messages = new ArrayList<>();
    for (String recipient : request.getRecipientsList()) {
      messages.add(
          new OutboxMessage(
              home(sender, request),
              sequence.next(),
              SendingTopics.NOTIFICATIONS,
              recipient,
              message));
    }
    return messages;
  }

  private static Home home(String sender, SendNotificationRequest request) {
    return Home.of(sender + ' ' + request.getId());
  }

  private static void accepted(
      SendNotificationRequest request, StreamObserver<SendNotificationResponse> response) {
    response.onNext(
        SendNotificationResponse.newBuilder().setAccepted(request.getRecipientsCount()).build());
    response.onCompleted();
  }
}
