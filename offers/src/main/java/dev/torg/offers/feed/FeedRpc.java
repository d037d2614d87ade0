package dev.torg.offers.feed;

import dev.torg.api.v1.FeedError;
import dev.torg.api.v1.FeedMessage;
import dev.torg.api.v1.FeedServiceGrpc;
import dev.torg.api.v1.FeedTask;
import dev.torg.api.v1.FinishFeedRequest;
import dev.torg.api.v1.GetFeedTaskRequest;
import dev.torg.api.v1.ListFeedErrorsRequest;
import dev.torg.api.v1.ListFeedErrorsResponse;
import dev.torg.api.v1.ListFeedTasksRequest;
import dev.torg.api.v1.ListFeedTasksResponse;
import dev.torg.offers.Feeds;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.offers.feed.format.FeedReaderFactory;
import dev.torg.platform.Caller;
import dev.torg.platform.EpochMicros;
import dev.torg.platform.PageSize;
import dev.torg.platform.PageToken;
import dev.torg.platform.rpc.CurrentCaller;
import dev.torg.platform.rpc.RpcResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// The gRPC adapter of feeds. `me` stands for the caller.
public final class FeedRpc extends FeedServiceGrpc.FeedServiceImplBase {
  private static final PageSize PAGE_SIZE = new PageSize(50, 200);

  /// Shorter than the deadline of a request.
  private static final Duration FINISH_RESPONSE_TIMEOUT = Duration.ofSeconds(20);

  private final FeedService feeds;
  private final FeedReaderFactory readerFactory;
  private final Executor blocking;

  public FeedRpc(FeedService feeds, FeedReaderFactory readerFactory, Executor blocking) {
    this.feeds = feeds;
    this.readerFactory = readerFactory;
    this.blocking = blocking;
  }

  @Override
  public StreamObserver<FeedMessage> upload(StreamObserver<FeedTask> response) {
    return new FeedStream(
        feeds,
        readerFactory,
        CurrentCaller.required(),
        (ServerCallStreamObserver<FeedTask>) response,
        blocking);
  }

  @Override
  public void listFeedTasks(
      ListFeedTasksRequest request, StreamObserver<ListFeedTasksResponse> response) {
    Caller caller = CurrentCaller.required();
    int size = PAGE_SIZE.of(request.getPageSize());
    long newest =
        request.getPageToken().isEmpty() ? Long.MAX_VALUE : id(request.getPageToken()) - 1;
    String seller = Feeds.seller(request.getSeller(), caller);
    RpcResponse.complete(
        response,
        CompletableFuture.supplyAsync(() -> feeds.list(caller, seller, newest, size + 1), blocking),
        tasks -> tasks(tasks, size));
  }

  @Override
  public void getFeedTask(GetFeedTaskRequest request, StreamObserver<FeedTask> response) {
    Caller caller = CurrentCaller.required();
    StoredFeedTask.Key task =
        new StoredFeedTask.Key(Feeds.seller(request.getSeller(), caller), request.getTaskId());
    RpcResponse.complete(
        response,
        CompletableFuture.supplyAsync(() -> feeds.get(caller, task), blocking),
        FeedRpc::encode);
  }

  @Override
  public void listFeedErrors(
      ListFeedErrorsRequest request, StreamObserver<ListFeedErrorsResponse> response) {
    Caller caller = CurrentCaller.required();
    StoredFeedTask.Key task =
        new StoredFeedTask.Key(Feeds.seller(request.getSeller(), caller), request.getTaskId());
    int size = PAGE_SIZE.of(request.getPageSize());
    FeedErrorCursor after = FeedErrorCursor.parse(request.getPageToken());
    RpcResponse.complete(
        response,
        CompletableFuture.supplyAsync(
            () -> feeds.errors(caller, task, after.line(), after.fingerprint(), size + 1),
            blocking),
        errors -> errors(errors, size));
  }

  @Override
  public void finishFeed(FinishFeedRequest request, StreamObserver<FeedTask> response) {
    Caller caller = CurrentCaller.required();
    StoredFeedTask.Key task =
        new StoredFeedTask.Key(Feeds.seller(request.getSeller(), caller), request.getTaskId());
    CompletableFuture<StoredFeedTask> finished =
        CompletableFuture.supplyAsync(
            () -> feeds.finish(caller, task, request.getForce()), blocking);
    RpcResponse.complete(response, withinTimeout(finished, caller, task), FeedRpc::encode);
  }

  /// A removal that takes longer continues in the background; the response then contains the running task.
  private CompletableFuture<StoredFeedTask> withinTimeout(
      CompletableFuture<StoredFeedTask> finished, Caller caller, StoredFeedTask.Key task) {
    return finished
        .copy()
        .orTimeout(FINISH_RESPONSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .exceptionallyCompose(
            error ->
                error instanceof TimeoutException
                    ? CompletableFuture.supplyAsync(() -> feeds.get(caller, task), blocking)
                    : CompletableFuture.failedFuture(error));
  }

  /// The task as clients see it.
  public static FeedTask encode(StoredFeedTask task) {
    FeedCounts counts = task.counts();
    return FeedTask.newBuilder()
        .setTaskId(task.taskId())
        .setStatus(task.status())
        .setCreated(counts.created())
        .setUpdated(counts.updated())
        .setUnchanged(counts.unchanged())
        .setRemoved(counts.removed())
        .setFailed(counts.failed())
        .setIgnored(counts.ignored())
        .setDuplicates(counts.duplicates())
        .setPhotosFailed(task.photosFailed())
        .setMessage(task.message())
        .setStartedAt(EpochMicros.timestamp(EpochMicros.of(task.startedAt())))
        .setUpdatedAt(EpochMicros.timestamp(EpochMicros.of(task.updatedAt())))
        .build();
  }

  private static ListFeedTasksResponse tasks(List<StoredFeedTask> rows, int size) {
    List<StoredFeedTask> shown = rows.subList(0, Math.min(size, rows.size()));
    return ListFeedTasksResponse.newBuilder()
        .addAllTasks(shown.stream().map(FeedRpc::encode).toList())
        .setNextPageToken(next(rows, shown, task -> Long.toString(task.taskId())))
        .build();
  }

  private static ListFeedErrorsResponse errors(List<FeedEntry.Invalid> rows, int size) {
    List<FeedEntry.Invalid> shown = rows.subList(0, Math.min(size, rows.size()));
    return ListFeedErrorsResponse.newBuilder()
        .addAllErrors(shown.stream().map(FeedRpc::encode).toList())
        .setNextPageToken(
            next(rows, shown, last -> new FeedErrorCursor(last.line(), last.fingerprint()).token()))
        .build();
  }

  private static <T> String next(List<T> rows, List<T> shown, Function<T, String> token) {
    return rows.size() > shown.size() ? token.apply(shown.getLast()) : "";
  }

  private static FeedError encode(FeedEntry.Invalid error) {
    return FeedError.newBuilder()
        .setLine(error.line())
        .setExternalId(error.externalId())
        .setCode(error.code())
        .setMessage(error.message())
        .build();
  }

  private static long id(String token) {
    try {
      return Long.parseLong(token);
    } catch (NumberFormatException e) {
      throw PageToken.invalid();
    }
  }
}
