package dev.torg.offers.feed.format;

import dev.torg.offers.FeedUploadRequest;
import dev.torg.offers.category.Categories;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Opens feed files, gzipped or not, with or without a byte order mark.
public final class FeedReaderFactory {
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;
  private static final int BUFFER = 64 * 1024;
  private static final int MAX_WITHOUT_ITEM = 64 << 20;
  private static final int[] MARK = {0xef, 0xbb, 0xbf};

  private final Categories categories;
  private final CategoryMapping mapping;
  private final Duration maxDuration;
  private final LongSupplier nanos;

  public FeedReaderFactory(Categories categories, CategoryMapping mapping) {
    this(categories, mapping, Duration.ofHours(1), System::nanoTime);
  }

  /// @param maxDuration a file that takes longer is interrupted
  public FeedReaderFactory(
      Categories categories, CategoryMapping mapping, Duration maxDuration, LongSupplier nanos) {
    this.categories = categories;
    this.mapping = mapping;
    this.maxDuration = maxDuration;
    this.nanos = nanos;
  }

  /// Nothing is read before the first item is requested.
  public FeedReader open(FeedUploadRequest feed, InputStream file) {
    return new Opening(feed, file);
  }

  private FeedReader reader(FeedUploadRequest feed, InputStream in) {
    return switch (feed.format()) {
      case NDJSON -> new NdjsonFeedReader(in);
      case CSV -> new CsvFeedReader(in, categories);
      case YML -> new YmlFeedReader(in, feed.seller(), categories, mapping);
      case ITEMS -> throw new IllegalArgumentException("items do not come in a file");
    };
  }

  /// A compressed file of spaces would occupy a reader at a thousandth of the cost to its sender, so the
  /// number of bytes without an item is limited. Without gzip the sender has to send every byte.
  private InputStream unpacked(InputStream file, AtomicReference<StepLimitedInputStream> steps)
      throws IOException {
    BufferedInputStream in =
        new BufferedInputStream(new TransportInputStream(file, maxDuration, nanos), BUFFER);
    in.mark(2);
    boolean gzip = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
    in.reset();
    if (!gzip) {
      return withoutMark(in);
    }
    StepLimitedInputStream bounded =
        new StepLimitedInputStream(BoundedGzipInputStream.of(in, BUFFER), MAX_WITHOUT_ITEM);
    steps.set(bounded);
    return withoutMark(new BufferedInputStream(bounded, BUFFER));
  }

  private static InputStream withoutMark(BufferedInputStream in) throws IOException {
    in.mark(MARK.length);
    for (int expected : MARK) {
      if (in.read() != expected) {
        in.reset();
        break;
      }
    }
    return in;
  }

  private final class Opening implements FeedReader {
    private final FeedUploadRequest feed;
    private final InputStream file;
    private final AtomicReference<StepLimitedInputStream> steps = new AtomicReference<>();
    private @Nullable FeedReader reader;

    Opening(FeedUploadRequest feed, InputStream file) {
      this.feed = feed;
      this.file = file;
    }

    @Override
    public @Nullable FeedEntry next() throws IOException, UnreadableFeedException {
      try {
        FeedReader opened = reader == null ? reader(feed, unpacked(file, steps)) : reader;
        reader = opened;
        FeedEntry next = opened.next();
        nextStep();
        return next;
      } catch (TransportInputStream.SenderGoneException e) {
        throw e;
      } catch (IOException e) {
        if (e instanceof StepLimitedInputStream.TooLarge tooLarge
            && tooLarge.maxBytes() == MAX_WITHOUT_ITEM) {
          throw new UnreadableFeedException(
              "feed.no-items", "no item in " + MAX_WITHOUT_ITEM + " bytes", 0);
        }
        String reason = e instanceof EOFException ? "it is cut off" : e.getMessage();
        throw new UnreadableFeedException(
            "feed.gzip", "the feed is truncated or corrupt gzip: " + reason, 0);
      }
    }

    private void nextStep() {
      StepLimitedInputStream bounded = steps.get();
      if (bounded != null) {
        bounded.nextStep();
      }
    }
  }
}
