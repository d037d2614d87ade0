package dev.torg.notifications.campaign;

import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.CampaignRecipients;
import dev.torg.api.v1.RecipientUploadResult;
import dev.torg.api.v1.RejectedLine;
import dev.torg.notifications.CampaignUploads;
import dev.torg.notifications.campaign.RecipientLines.Line;
import dev.torg.platform.Failure;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Adds uploaded recipients in chunks. The campaign is read before each one, so that an upload ends when the campaign is
/// started or cancelled.
final class RecipientUploads implements CampaignUploads {
  /// Recipients per transaction.
  private static final int CHUNK_SIZE = 5_000;

  /// Rejected lines that are reported.
  private static final int MAX_REPORTED_LINES = 100;

  /// Chunks that are written at the same time, of all uploads: uploads must not delay requests.
  private static final int MAX_CONCURRENT_CHUNKS = 2;

  private final CampaignService campaigns;
  private final RecipientAdder adder;
  private final Semaphore permits = new Semaphore(MAX_CONCURRENT_CHUNKS, true);

  RecipientUploads(CampaignService campaigns, RecipientAdder adder) {
    this.campaigns = campaigns;
    this.adder = adder;
  }

  @Override
  public RecipientUploadResult upload(String sender, String campaign, InputStream file) {
    CampaignKey key = new CampaignKey(sender, campaign);
    var _ = requireAccepting(key);
    Upload upload = new Upload(key);
    try {
      upload.addAll(new RecipientLines(file));
    } catch (IOException e) {
      throw Failure.unavailable(
          "campaign.cut-off", "the upload was cut off; upload the recipients again", e);
    }
    return upload
        .result
        .setAccepted(campaigns.find(sender, campaign).getProgress().getAccepted())
        .build();
  }

  /// Receives a stream of messages; its methods block.
  StreamObserver<CampaignRecipients> stream(String sender, StreamObserver<Campaign> response) {
    return new MessageStream(sender, response);
  }

  private StoredCampaign requireAccepting(CampaignKey key) {
    StoredCampaign campaign = campaigns.require(key);
    if (!campaign.accepting()) {
      throw RecipientAdder.closed();
    }
    return campaign;
  }

  /// Returns how many were not there before.
  private int add(CampaignKey key, Collection<String> chunk) {
    permits.acquireUninterruptibly();
    try {
      StoredCampaign campaign = requireAccepting(key);
      int added = adder.add(campaign, chunk);
      if (campaign.startedAtOnce()) {
        campaigns.reopen(key);
      }
      return added;
    } finally {
      permits.release();
    }
  }

  /// One file.
  private final class Upload {
    private final CampaignKey key;
    private final RecipientUploadResult.Builder result = RecipientUploadResult.newBuilder();
    private final List<String> chunk = new ArrayList<>(CHUNK_SIZE);

    Upload(CampaignKey key) {
      this.key = key;
    }

    void addAll(RecipientLines lines) throws IOException {
      for (Line line = lines.next(); line != null; line = lines.next()) {
        switch (line) {
          case Line.Recipient(String subject) -> chunk.add(subject);
          case Line.Rejected rejected -> reject(rejected);
        }
        if (chunk.size() == CHUNK_SIZE) {
          flush();
        }
      }
      flush();
    }

    private void reject(Line.Rejected line) {
      result.setRejected(result.getRejected() + 1);
      if (result.getErrorsCount() < MAX_REPORTED_LINES) {
        result.addErrors(
            RejectedLine.newBuilder().setLine(line.number()).setMessage(line.problem()));
      }
    }

    private void flush() {
      if (!chunk.isEmpty()) {
        int added = add(key, chunk);
        result
            .setAdded(result.getAdded() + added)
            .setDuplicates(result.getDuplicates() + chunk.size() - added);
        chunk.clear();
      }
    }
  }

  /// An upload over gRPC. An invalid recipient ends it; those of the messages before it stay.
  private final class MessageStream implements StreamObserver<CampaignRecipients> {
    private final String sender;
    private final StreamObserver<Campaign> response;
    private @Nullable CampaignKey key;

    MessageStream(String sender, StreamObserver<Campaign> response) {
      this.sender = sender;
      this.response = response;
    }

    @Override
    public void onNext(CampaignRecipients message) {
      CampaignKey campaign = key == null ? new CampaignKey(sender, message.getId()) : key;
      key = campaign;
      var _ = requireAccepting(campaign);
      List<String> recipients = message.getRecipientsList();
      if (!recipients.stream().allMatch(CampaignRequestValidator::isRecipient)) {
        throw Failure.invalid(
            "campaign.recipient",
            "a recipient is not valid",
            "recipients",
            CampaignRequestValidator.recipientProblem());
      }
      for (int from = 0; from < recipients.size(); from += CHUNK_SIZE) {
        add(campaign, recipients.subList(from, Math.min(recipients.size(), from + CHUNK_SIZE)));
      }
    }

    /// What was added stays.
    @Override
    public void onError(Throwable error) {}

    @Override
    public void onCompleted() {
      if (key == null) {
        throw Failure.invalid(
            "campaign.recipient", "no campaign", "id", "must be in the first message");
      }
      response.onNext(campaigns.find(sender, key.id()));
      response.onCompleted();
    }
  }
}
