package dev.torg.matching.engine;

import java.util.Arrays;
import java.util.List;

/// Builds a new base from the live queries of other segments, in four passes over them: collect the ends of
/// ranges for the quantizers; translate each query into the new vocabulary, choose its keys by current
/// statistics, compute its signature; count and allocate; write. Temporary arrays hold some 60 bytes a query
/// while it runs.
final class BaseBuilder {
  /// Range ends sampled per field and segment for its quantizer.
  private static final int MAX_ENDS = 1 << 16;

  private final EngineSettings settings;
  private final Observations observations;
  private final List<Segment> sources;
  private final Vocabulary vocabulary;
  private Fields fields = Fields.NONE;

  /// Per query: its source and its signature.
  private int queries;

  private int[] origin = new int[1024];
  private byte[] source = new byte[1024];
  private int[] sizes = new int[1024];
  private long[] first = new long[1024];
  private int[] second = new int[1024];

  /// Per posting: its key's slot and its query. Slots of single keys are their features.
  private int postings;

  private int[] postingSlot = new int[1024];
  private int[] postingQuery = new int[1024];
  private final KeyTable composites = new KeyTable();

  private final Program program = new Program();

  BaseBuilder(EngineSettings settings, Observations observations, List<Segment> sources) {
    this.settings = settings;
    this.observations = observations;
    this.sources = sources;
    this.vocabulary =
        new Vocabulary(
            settings.hashMask(),
            sources.stream().mapToInt(s -> s.vocabulary().size()).max().orElse(16));
  }

  Base build() {
    quantize();
    List<Translation> translations =
        sources.stream().map(s -> new Translation(s, vocabulary, fields)).toList();
    collect(translations);
    return new Base(layOut(translations), settings.hashMask());
  }

  private void quantize() {
    RangeEnds ends = new RangeEnds(MAX_ENDS);
    for (Segment segment : sources) {
      int[] code = segment.records();
      for (int at = 0; at < segment.end(); at += Records.sizeAt(code, at)) {
        if (!segment.isRemoved(code[at])) {
          ends.take(segment.fields(), code, at + Records.PROGRAM, at + Records.sizeAt(code, at));
        }
      }
    }
    fields = ends.fields();
  }

  private void collect(List<Translation> translations) {
    AccessKeys keys = new AccessKeys(vocabulary, fields, observations, settings.choice());
    Signature signature = new Signature(vocabulary, fields, keys, settings.hashMask());
    for (int s = 0; s < sources.size(); s++) {
      Segment segment = sources.get(s);
      int[] code = segment.records();
      for (int at = 0; at < segment.end(); at += Records.sizeAt(code, at)) {
        if (!segment.isRemoved(code[at])) {
          translations.get(s).translate(at, program);
          keys.choose(program.code, 0, program.length);
          signature.sign(program.code, 0, program.length);
          note(s, at, signature);
          post(keys);
        }
      }
    }
  }

  private void note(int from, int at, Signature signature) {
    if (queries == origin.length) {
      int more = queries + (queries >> 1);
      origin = Arrays.copyOf(origin, more);
      source = Arrays.copyOf(source, more);
      sizes = Arrays.copyOf(sizes, more);
      first = Arrays.copyOf(first, more);
      second = Arrays.copyOf(second, more);
    }
    origin[queries] = at;
    source[queries] = (byte) from;
    sizes[queries] = Records.size(program.length);
    first[queries] = signature.first;
    second[queries] = signature.second;
    queries++;
  }

  /// A slot below zero is a composite key's.
  private void post(AccessKeys keys) {
    for (int key = 0; key < keys.count; key++) {
      if (postings == postingSlot.length) {
        postingSlot = Arrays.copyOf(postingSlot, postings + (postings >> 1));
        postingQuery = Arrays.copyOf(postingQuery, postings + (postings >> 1));
      }
      boolean single = keys.isSingle(key);
      if (!single) {
        keys.markComposite(key);
      }
      postingSlot[postings] =
          single
              ? keys.singleId(key)
              : ~composites.slot(keys.compositeKey(key) & settings.hashMask() | 1);
      postingQuery[postings] = queries - 1;
      postings++;
    }
  }

  private Base.Parts layOut(List<Translation> translations) {
    int singleSlots = vocabulary.size();
    int slots = singleSlots + composites.size();
    int[] starts = new int[slots + 1];
    int[] recordStarts = new int[slots + 1];
    count(singleSlots, starts, recordStarts);
    int[] records = new int[recordStarts[slots]];
    int[] recordOf = layOutRecords(singleSlots, recordStarts, records, translations);
    long[] laid = new long[2 * postings];
    int[] next = Arrays.copyOf(starts, slots);
    for (int p = 0; p < postings; p++) {
      int query = postingQuery[p];
      int index = 2 * next[slot(p, singleSlots)]++;
      laid[index] = first[query];
      laid[index + 1] = ((long) recordOf[query] << 32) | (second[query] & 0xFFFFFFFFL);
    }
    return new Base.Parts(
        vocabulary,
        fields,
        singles(singleSlots, starts),
        composites.table(singleSlots, starts),
        laid,
        records,
        lookup(records),
        queries);
  }

  private int slot(int posting, int singleSlots) {
    int slot = postingSlot[posting];
    return slot >= 0 ? slot : singleSlots + ~slot;
  }

  /// Prefix sums: where each key's postings begin, and where the records of queries whose first key it is.
  private void count(int singleSlots, int[] starts, int[] recordStarts) {
    for (int p = 0; p < postings; p++) {
      int slot = slot(p, singleSlots);
      starts[slot + 1]++;
      if (isFirst(p)) {
        recordStarts[slot + 1] += sizes[postingQuery[p]];
      }
    }
    for (int slot = 0; slot + 1 < starts.length; slot++) {
      starts[slot + 1] += starts[slot];
      recordStarts[slot + 1] = Math.addExact(recordStarts[slot + 1], recordStarts[slot]);
    }
  }

  private boolean isFirst(int posting) {
    return posting == 0 || postingQuery[posting] != postingQuery[posting - 1];
  }

  private int[] layOutRecords(
      int singleSlots, int[] recordStarts, int[] records, List<Translation> translations) {
    int[] next = Arrays.copyOf(recordStarts, recordStarts.length - 1);
    int[] recordOf = new int[queries];
    for (int p = 0; p < postings; p++) {
      if (isFirst(p)) {
        int query = postingQuery[p];
        int slot = slot(p, singleSlots);
        recordOf[query] = next[slot];
        next[slot] += sizes[query];
        write(query, recordOf[query], records, translations.get(source[query]));
      }
    }
    return recordOf;
  }

  private void write(int query, int at, int[] records, Translation translation) {
    translation.translate(origin[query], program);
    Records.write(records, at, query, Records.id(translation.code(), origin[query]), program);
  }

  private long[] singles(int count, int[] starts) {
    long[] singles = new long[count];
    for (int slot = 0; slot < count; slot++) {
      int size = starts[slot + 1] - starts[slot];
      singles[slot] = size == 0 ? 0 : Base.packed(starts[slot], size);
    }
    return singles;
  }

  private int[] lookup(int[] records) {
    int[] lookup = new int[Integer.highestOneBit(Math.max(8, queries + (queries >> 1))) * 2];
    for (int at = 0; at < records.length; at += Records.sizeAt(records, at)) {
      int slot = Base.slotOf(Records.id(records, at).first(), lookup.length);
      while (lookup[slot] != 0) {
        slot = (slot + 1) & (lookup.length - 1);
      }
      lookup[slot] = at + 1;
    }
    return lookup;
  }
}
