package dev.torg.notifications.campaign;

import dev.torg.api.v1.Audience;
import dev.torg.api.v1.Campaign;
import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.RecipientUpload;
import dev.torg.notifications.campaign.StoredCampaign.State;
import dev.torg.notifications.content.CanonicalHash;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.Failure;
import dev.torg.platform.Home;
import dev.torg.platform.db.Database;
import dev.torg.platform.db.EachShard;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Creates campaigns and changes their states. A campaign, its homes and its recipients are written in several
/// transactions; it starts with the last one, so that an incomplete one does nothing until the request is repeated.
final class CampaignService {
  private final Database database;
  private final CampaignRequestValidator validator;
  private final CampaignContents contents;
  private final RecipientAdder adder;
  private final InstantSource clock;
  private final CampaignStore campaigns = new CampaignStore();
  private final CampaignHomeStore homes = new CampaignHomeStore();
  private final StoredCampaignProgress progress = new StoredCampaignProgress();

  CampaignService(
      Database database,
      CampaignRequestValidator validator,
      CampaignContents contents,
      RecipientAdder adder,
      InstantSource clock) {
    this.database = database;
    this.validator = validator;
    this.contents = contents;
    this.adder = adder;
    this.clock = clock;
  }

  Campaign create(String sender, CreateCampaignRequest request) {
    CampaignKey key = new CampaignKey(sender, request.getId());
    byte[] hash = hash(request);
    if (database.read(tx -> campaigns.find(tx, key)).isEmpty()) {
      insert(key, request, hash);
    }
    requireSameRequest(key, hash);
    StoredCampaign campaign = require(key);
    if (campaign.state() == State.UPLOADING) {
      complete(campaign, request);
    }
    return find(sender, request.getId());
  }

  private void insert(CampaignKey key, CreateCampaignRequest request, byte[] hash) {
    Instant now = now();
    validator.check(request, now);
    boolean uploads = request.getAudience().hasUpload();
    StoredCampaign campaign =
        new StoredCampaign(
            key,
            State.UPLOADING,
            uploads,
            now,
            request.hasSendAt()
                ? Optional.of(EpochMicros.instant(request.getSendAt()))
                : Optional.empty(),
            withoutRecipients(request),
            contents.render(request));
    database.inTransaction(tx -> campaigns.insert(tx, campaign, hash));
  }

  private void requireSameRequest(CampaignKey key, byte[] hash) {
    byte[] stored = database.read(tx -> campaigns.requestHash(tx, key)).orElseThrow();
    if (!Arrays.equals(stored, hash)) {
      throw Failure.conflict(
          "campaign.id-reused", "another campaign with this id was created before");
    }
  }

  /// Adds the recipients that the request names, or opens the homes of a criterion, and starts the campaign. One without
  /// either waits for uploads.
  private void complete(StoredCampaign campaign, CreateCampaignRequest request) {
    List<String> named = request.getAudience().getUpload().getRecipientsList();
    if (campaign.hasCriterion()) {
      eachShard(ofShard -> database.transact(tx -> homes.open(tx, campaign.key().text(), ofShard)));
    } else if (!named.isEmpty()) {
      int _ = adder.add(campaign, named);
    } else {
      return;
    }
    change(campaign.key(), StateChange.START_AT_ONCE);
  }

  Campaign start(String sender, String id) {
    CampaignKey key = new CampaignKey(sender, id);
    StoredCampaign campaign = require(key);
    if (campaign.accepting()) {
      StateChange.START.next(campaign);
      close(key);
    }
    change(key, StateChange.START);
    return find(sender, id);
  }

  Campaign pause(String sender, String id) {
    change(new CampaignKey(sender, id), StateChange.PAUSE);
    return find(sender, id);
  }

  Campaign resume(String sender, String id) {
    change(new CampaignKey(sender, id), StateChange.RESUME);
    return find(sender, id);
  }

  /// Closes the homes last, so that writing stops at once; repeated if that failed.
  Campaign cancel(String sender, String id) {
    CampaignKey key = new CampaignKey(sender, id);
    change(key, StateChange.CANCEL);
    close(key);
    return find(sender, id);
  }

  Campaign find(String sender, String id) {
    StoredCampaign campaign = require(new CampaignKey(sender, id));
    String key = campaign.key().text();
    return database.read(
        tx ->
            CampaignProtoMapper.campaign(
                campaign,
                progress.sum(tx, key).setAccepted(homes.accepted(tx, key)).build(),
                now()));
  }

  /// Fails with NOT_FOUND if the sender has no such campaign.
  StoredCampaign require(CampaignKey key) {
    return database
        .read(tx -> campaigns.find(tx, key))
        .orElseThrow(
            () -> Failure.notFound("campaign.not-found", "there is no campaign with this id"));
  }

  private void change(CampaignKey key, StateChange change) {
    var _ = require(key);
    database.transact(
        tx -> {
          StoredCampaign campaign = campaigns.lock(tx, key).orElseThrow();
          StateChange.Next next = change.next(campaign);
          campaigns.update(tx, key, next.state(), next.accepting(), next.startedAt(now()));
        });
  }

  /// Recipients that are added to a finished campaign are written too.
  void reopen(CampaignKey key) {
    change(key, StateChange.REOPEN);
  }

  private void close(CampaignKey key) {
    eachShard(ofShard -> database.transact(tx -> homes.close(tx, key.text(), ofShard)));
  }

  private void eachShard(Consumer<List<Home>> work) {
    EachShard.run(database.shards().split(Home.all(), home -> home), work);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static CreateCampaignRequest withoutRecipients(CreateCampaignRequest request) {
    return request.getAudience().hasUpload()
        ? request.toBuilder()
            .setAudience(Audience.newBuilder().setUpload(RecipientUpload.getDefaultInstance()))
            .build()
        : request;
  }

  /// Equal for equal requests: recipients and channels are sets.
  private static byte[] hash(CreateCampaignRequest request) {
    CreateCampaignRequest.Builder body =
        request.toBuilder()
            .clearChannels()
            .addAllChannels(request.getChannelsList().stream().distinct().sorted().toList());
    if (request.getAudience().hasUpload()) {
      List<String> named = request.getAudience().getUpload().getRecipientsList();
      body.getAudienceBuilder()
          .getUploadBuilder()
          .clearRecipients()
          .addAllRecipients(named.stream().distinct().sorted().toList());
    }
    return CanonicalHash.of(body.build()).asBytes();
  }
}
