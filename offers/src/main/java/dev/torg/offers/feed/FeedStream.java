package dev.torg.offers.feed;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.FeedItem;
import dev.torg.api.v1.FeedMessage;
import dev.torg.api.v1.FeedStart;
import dev.torg.api.v1.FeedTask;
import dev.torg.offers.FeedFormat;
import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.Feeds;
import dev.torg.offers.feed.format.FeedEntry;
import dev.torg.offers.feed.format.FeedReader;
import dev.torg.offers.feed.format.FeedReaderFactory;
import dev.torg.offers.feed.format.SentItem;
import dev.torg.offers.feed.format.UnreadableFeedException;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.StallTimeout;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An upload as a stream of messages. It requests a message only when it has processed one, so that a
/// sender that is faster than the database is throttled.
final class FeedStream implements StreamObserver<FeedMessage> {
  /// Messages in flight or queued, while the queued ones are small.
  private static final int MAX_PENDING_MESSAGES = 4;

  /// The largest number of queued bytes, in addition to one message in flight; with more, no further
  /// message is requested.
  private static final long MAX_QUEUED_BYTES = 1 << 20;

  /// A sender that delivers next to nothing for this long is disconnected.
  private static final Duration STALL_TIMEOUT = Duration.ofMinutes(1);

  private final FeedService feeds;
  private final FeedReaderFactory readerFactory;
  private final Caller caller;
  private final ServerCallStreamObserver<FeedTask> call;
  private final Executor blocking;
  private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
  private final DemandByBytes demand = new DemandByBytes(MAX_PENDING_MESSAGES, MAX_QUEUED_BYTES);
  private final StallTimeout stallTimeout = new StallTimeout(STALL_TIMEOUT);
  private @Nullable FeedUploadRequest upload;

  /// Read by the reading thread.
  private boolean ended;

  private sealed interface Signal {}

  private record Message(FeedMessage message) implements Signal {}

  private record End() implements Signal {}

  private record Aborted(Throwable cause) implements Signal {}

  FeedStream(
      FeedService feeds,
      FeedReaderFactory readerFactory,
      Caller caller,
      ServerCallStreamObserver<FeedTask> call,
      Executor blocking) {
    this.feeds = feeds;
    this.readerFactory = readerFactory;
    this.caller = caller;
    this.call = call;
    this.blocking = blocking;
    call.disableAutoRequest();
    call.request(1);
  }

  @Override
  public void onNext(FeedMessage message) {
    if (upload != null) {
      signals.add(new Message(message));
      request(demand.queued(message.getSerializedSize()));
      return;
    }
    FeedUploadRequest started = started(message);
    FeedService.requireMayFeed(caller, started.seller());
    upload = started;
    request(demand.start());
    blocking.execute(() -> run(started));
  }

  @Override
  public void onError(Throwable error) {
    signals.add(new Aborted(error));
  }

  @Override
  public void onCompleted() {
    if (upload == null) {
      throw Failure.invalid("feed.start", "no feed", "start", "must be the first message");
    }
    signals.add(new End());
  }

  private void request(int messages) {
    if (messages > 0) {
      call.request(messages);
    }
  }

  private FeedUploadRequest started(FeedMessage message) {
    if (!message.hasStart()) {
      throw Failure.invalid("feed.start", "no feed", "start", "must be the first message");
    }
    FeedStart start = message.getStart();
    return new FeedUploadRequest(
        Feeds.seller(start.getSeller(), caller),
        start.getTaskId(),
        format(start.getFormat()),
        !start.hasComplete() || start.getComplete(),
        start.getForce());
  }

  private static FeedFormat format(FeedStart.Format format) {
    return switch (format) {
      case FORMAT_UNSPECIFIED -> FeedFormat.ITEMS;
      case NDJSON -> FeedFormat.NDJSON;
      case CSV -> FeedFormat.CSV;
      case YML -> FeedFormat.YML;
      case UNRECOGNIZED ->
          throw Failure.invalid("feed.format", "bad format", "start.format", "is not known");
    };
  }

  private void run(FeedUploadRequest started) {
    try {
      FeedReader reader =
          started.format() == FeedFormat.ITEMS
              ? new Items()
              : readerFactory.open(started, new Data());
      FeedTask task = FeedRpc.encode(feeds.upload(caller, started, reader));
      call.onNext(task);
      call.onCompleted();
    } catch (RuntimeException e) {
      call.onError(e);
    }
  }

  /// The next message, or null at the end. May be called repeatedly at the end.
  private @Nullable FeedMessage nextMessage() throws IOException {
    if (ended) {
      return null;
    }
    try {
      long start = System.nanoTime();
      return switch (signals.poll(stallTimeout.remaining(), TimeUnit.NANOSECONDS)) {
        case null -> throw new IOException("almost no data received for " + STALL_TIMEOUT);
        case Message(FeedMessage message) -> {
          stallTimeout.received(message.getSerializedSize(), System.nanoTime() - start);
          request(demand.consumed(message.getSerializedSize()));
          yield message;
        }
        case End _ -> {
          ended = true;
          yield null;
        }
        case Aborted(Throwable cause) -> throw new IOException("the stream was cut off", cause);
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /// Reads items sent as messages.
  private final class Items implements FeedReader {
    private int number;

    @Override
    public @Nullable FeedEntry next() throws IOException, UnreadableFeedException {
      FeedMessage message = nextMessage();
      if (message == null) {
        return null;
      }
      number++;
      if (!message.hasItem()) {
        throw new UnreadableFeedException(
            "feed.message", "a feed without a format is made of items", number);
      }
      FeedItem item = message.getItem();
      return SentItem.entry(item, number);
    }
  }

  /// Reads a file sent in pieces.
  private final class Data extends InputStream {
    private ByteString piece = ByteString.EMPTY;
    private int at;

    @Override
    public int read() throws IOException {
      byte[] buffer = new byte[1];
      return read(buffer, 0, 1) < 0 ? -1 : buffer[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      while (at == piece.size()) {
        FeedMessage message = nextMessage();
        if (message == null) {
          return -1;
        }
        piece = message.getData();
        at = 0;
      }
      int count = Math.min(length, piece.size() - at);
      piece.substring(at, at + count).copyTo(buffer, offset);
      at += count;
      return count;
    }
  }
}
