package dev.torg.matching.engine;

import dev.torg.matching.Query;
import dev.torg.matching.feature.Feature;
import dev.torg.matching.text.TextAnalysis;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.zip.CRC32C;

/// An engine in a file: magic number and length of the payload, the payload, its CRC-32C. The base is written
/// as it lies in memory, so restoring is reading; recent queries are written as canonical texts. Written to a
/// temporary file, forced to disk, then moved over the old one.
final class Snapshot {
  private static final long MAGIC = 0x544F5247_4D415443L;
  private static final int VERSION = 1;
  private static final int FRAME = 24;

  /// What is written: a base with its removed bits, and the queries added since.
  record Content(Base base, long[] removed, List<Query> recent, Observations observations) {}

  private Snapshot() {}

  static void write(Path file, byte[] header, Content content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel out =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      out.position(16);
      SnapshotWriter writer = new SnapshotWriter(out);
      payload(writer, header, content);
      writer.flush();
      long end = out.position();
      out.write(ByteBuffer.allocate(8).putLong(writer.sum()).flip());
      out.write(ByteBuffer.allocate(16).putLong(MAGIC).putLong(end - 16).flip(), 0);
      out.force(true);
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void payload(SnapshotWriter out, byte[] header, Content content)
      throws IOException {
    out.number(VERSION);
    out.text(TextAnalysis.VERSION);
    out.bytes(header);
    Base.Parts parts = content.base.parts();
    vocabulary(out, parts.vocabulary());
    fields(out, parts.fields());
    out.longs(parts.singles());
    out.longs(parts.composites());
    out.longs(parts.postings());
    out.ints(parts.records());
    out.ints(parts.lookup());
    out.number(parts.count());
    out.longs(content.removed);
    content.observations.write(out);
    out.number(content.recent.size());
    for (Query query : content.recent) {
      out.text(query.canonical());
    }
  }

  private static void vocabulary(SnapshotWriter out, Vocabulary vocabulary) throws IOException {
    out.number(vocabulary.size());
    for (int id = 0; id < vocabulary.size(); id++) {
      Feature feature = vocabulary.get(id);
      out.number(feature.kind().ordinal() << 1 | (vocabulary.isComposite(id) ? 1 : 0));
      out.text(feature.text());
    }
  }

  private static void fields(SnapshotWriter out, Fields fields) throws IOException {
    out.number(fields.end());
    for (int id = 1; id < fields.end(); id++) {
      out.text(fields.name(id));
      out.longs(fields.quantizer(id).bounds());
    }
  }

  static Engine.Restored read(Path file, EngineSettings settings, InstantSource clock)
      throws IOException {
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      check(in);
      in.position(16);
      return restored(new SnapshotReader(in), settings, clock);
    }
  }

  private static void check(FileChannel in) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(16);
    if (in.size() < FRAME || in.read(frame) < 16 || frame.flip().getLong() != MAGIC) {
      throw new SnapshotException("not a snapshot of saved searches");
    }
    long length = frame.getLong();
    if (length != in.size() - FRAME) {
      throw new SnapshotException(
          "the snapshot is cut: %d bytes of %d".formatted(in.size(), length + FRAME));
    }
    long sum = sum(in, length);
    ByteBuffer end = ByteBuffer.allocate(8);
    if (in.read(end) < 8 || end.flip().getLong() != sum) {
      throw new SnapshotException("the snapshot is damaged: its checksum does not fit");
    }
  }

  private static long sum(FileChannel in, long length) throws IOException {
    CRC32C sum = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
    for (long remaining = length; remaining > 0; ) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), remaining));
      remaining -= in.read(buffer);
      sum.update(buffer.flip());
    }
    return sum.getValue();
  }

  private static Engine.Restored restored(
      SnapshotReader in, EngineSettings settings, InstantSource clock) throws IOException {
    int version = in.number();
    String analysis = version == VERSION ? in.text() : "";
    if (!analysis.equals(TextAnalysis.VERSION)) {
      throw new SnapshotException("the snapshot was written by another version");
    }
    byte[] header = in.bytes();
    Base base = base(in, settings);
    Observations observations = Observations.read(in, clock);
    Engine engine = new Engine(settings, observations, base);
    int recent = in.number();
    for (int i = 0; i < recent; i++) {
      engine.add(Query.ofCanonical(in.text()));
    }
    return new Engine.Restored(engine, header);
  }

  private static Base base(SnapshotReader in, EngineSettings settings) throws IOException {
    Vocabulary vocabulary = vocabulary(in, settings);
    Fields fields = fields(in);
    Base base =
        new Base(
            new Base.Parts(
                vocabulary,
                fields,
                in.longs(),
                in.longs(),
                in.longs(),
                in.ints(),
                in.ints(),
                in.number()),
            settings.hashMask());
    base.removeAll(in.longs());
    return base;
  }

  private static Vocabulary vocabulary(SnapshotReader in, EngineSettings settings)
      throws IOException {
    int size = in.number();
    Vocabulary vocabulary = new Vocabulary(settings.hashMask(), size);
    for (int i = 0; i < size; i++) {
      int kind = in.number();
      int id = vocabulary.intern(Feature.of(Feature.Kind.values()[kind >>> 1], in.text()));
      if ((kind & 1) != 0) {
        vocabulary.markComposite(id);
      }
    }
    return vocabulary;
  }

  private static Fields fields(SnapshotReader in) throws IOException {
    Fields fields = Fields.NONE;
    int end = in.number();
    for (int id = 1; id < end; id++) {
      fields = fields.with(in.text(), Quantizer.ofBounds(in.longs()));
    }
    return fields;
  }
}
