package dev.torg.offers.feed.read;

import dev.torg.offers.Categories;
import dev.torg.offers.FeedUpload;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Opens files: gzipped or not, with or without a byte order mark.
public final class Formats {
  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;
  private static final int BUFFER = 64 * 1024;
  private static final int[] MARK = {0xef, 0xbb, 0xbf};

  private final Categories categories;
  private final ForeignCategories foreign;

  public Formats(Categories categories, ForeignCategories foreign) {
    this.categories = categories;
    this.foreign = foreign;
  }

  /// Nothing is read before the first item is asked for.
  public FeedReader open(FeedUpload feed, InputStream file) {
    return new Opening(feed, file);
  }

  private FeedReader reader(FeedUpload feed, InputStream in) {
    return switch (feed.format()) {
      case NDJSON -> new NdjsonReader(in);
      case CSV -> new CsvFeedReader(in, categories);
      case YML -> new YmlReader(in, feed.seller(), categories, foreign);
      case ITEMS -> throw new IllegalArgumentException("items do not come in a file");
    };
  }

  private static InputStream unpacked(InputStream file) throws IOException {
    BufferedInputStream in = new BufferedInputStream(new Arriving(file), BUFFER);
    in.mark(2);
    boolean gzip = in.read() == GZIP_FIRST && in.read() == GZIP_SECOND;
    in.reset();
    return withoutMark(gzip ? Inflated.of(in, BUFFER) : in);
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
    private final FeedUpload feed;
    private final InputStream file;
    private @Nullable FeedReader reader;

    Opening(FeedUpload feed, InputStream file) {
      this.feed = feed;
      this.file = file;
    }

    @Override
    public @Nullable Entry next() throws IOException, BrokenFeed {
      try {
        FeedReader opened = reader == null ? reader(feed, unpacked(file)) : reader;
        reader = opened;
        return opened.next();
      } catch (Arriving.CutOff e) {
        throw e;
      } catch (IOException e) {
        String why = e instanceof EOFException ? "it is cut off" : e.getMessage();
        throw new BrokenFeed("feed.gzip", "the feed is not whole gzip: " + why, 0);
      }
    }
  }
}
