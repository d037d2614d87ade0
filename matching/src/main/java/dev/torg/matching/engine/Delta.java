package dev.torg.matching.engine;

import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import dev.torg.matching.feature.Feature;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The queries added since the last merge. One writer (the engine's lock) appends; readers take no lock.
///
/// A query becomes visible in one step: features, fields, record and postings are written first, then `end` is
/// raised with a volatile write. A reader loads `end` before anything else and ignores postings of records at
/// or above it, so it never sees a query whose features it could have missed. Arrays grow by copying; a reader
/// continues with the copy it has.
final class Delta {
  private final EngineSettings settings;
  private final Vocabulary vocabulary;
  private final Compiler compiler;
  private final Program program = new Program();
  private final Observations observations;
  private final Fields baseFields;
  private final Map<SearchId, Integer> live = new HashMap<>();

  private volatile Fields fields = Fields.NONE;
  private volatile int[] records = new int[1024];
  private volatile @Nullable PostingList[] lists = new @Nullable PostingList[256];
  private volatile AtomicLongArray removed = new AtomicLongArray(16);
  private volatile int end;
  private int count;
  private int listCount;
  private AccessKeys keys;
  private Signature signature;

  /// `baseFields` supplies quantizers: fields keep the steps that the base found useful.
  Delta(EngineSettings settings, Observations observations, Fields baseFields) {
    this.settings = settings;
    this.observations = observations;
    this.baseFields = baseFields;
    this.vocabulary = new Vocabulary(settings.hashMask(), 64);
    this.compiler = new Compiler(vocabulary::intern, this::field);
    this.keys = new AccessKeys(vocabulary, fields, observations, settings.choice());
    this.signature = new Signature(vocabulary, fields, keys, settings.hashMask());
  }

  private int field(String name) {
    int id = fields.find(name);
    if (id > 0) {
      return id;
    }
    int before = baseFields.find(name);
    fields = fields.with(name, before > 0 ? baseFields.quantizer(before) : null);
    keys = new AccessKeys(vocabulary, fields, observations, settings.choice());
    signature = new Signature(vocabulary, fields, keys, settings.hashMask());
    return fields.find(name);
  }

  void add(SearchId id, Query query) {
    compiler.compile(query, program);
    keys.choose(program.code, 0, program.length);
    signature.sign(program.code, 0, program.length);
    int at = append(id);
    for (int key = 0; key < keys.count; key++) {
      post(key, at);
    }
    live.put(id, at);
    end = at + Records.size(program.length);
  }

  private int append(SearchId id) {
    int at = end;
    int size = Records.size(program.length);
    if (at + size > records.length) {
      records = Arrays.copyOf(records, Math.max(at + size, records.length + (records.length >> 1)));
    }
    if (count >>> 6 >= removed.length()) {
      growRemoved();
    }
    Records.write(records, at, count++, id, program);
    return at;
  }

  private void growRemoved() {
    AtomicLongArray more = new AtomicLongArray(2 * removed.length());
    for (int i = 0; i < removed.length(); i++) {
      more.setPlain(i, removed.getPlain(i));
    }
    removed = more;
  }

  private void post(int key, int record) {
    boolean single = keys.isSingle(key);
    long hash = single ? singleKey(keys.singleId(key)) : keys.compositeKey(key);
    if (!single) {
      keys.markComposite(key);
    }
    long second = ((long) record << 32) | (signature.second & 0xFFFFFFFFL);
    list(hash & settings.hashMask() | 1).add(signature.first, second);
  }

  private long singleKey(int feature) {
    return ~vocabulary.get(feature).hash();
  }

  private PostingList list(long key) {
    PostingList list = find(lists, key);
    if (list != null) {
      return list;
    }
    if (2 * listCount >= lists.length) {
      growLists();
    }
    PostingList newList = new PostingList(key);
    insert(lists, newList);
    listCount++;
    return newList;
  }

  private void growLists() {
    @Nullable PostingList[] more = new @Nullable PostingList[2 * lists.length];
    for (PostingList list : lists) {
      if (list != null) {
        insert(more, list);
      }
    }
    lists = more;
  }

  private static void insert(@Nullable PostingList[] table, PostingList list) {
    int slot = slot(table, list.key);
    while (table[slot] != null) {
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = list;
  }

  private static @Nullable PostingList find(@Nullable PostingList[] table, long key) {
    for (int slot = slot(table, key); ; slot = (slot + 1) & (table.length - 1)) {
      PostingList list = table[slot];
      if (list == null || list.key == key) {
        return list;
      }
    }
  }

  private static int slot(@Nullable PostingList[] table, long key) {
    return (int) (key >>> 1) & (table.length - 1);
  }

  /// Removes a live query; false if there is none.
  boolean remove(SearchId id) {
    Integer record = live.remove(id);
    if (record == null) {
      return false;
    }
    int ordinal = records[record];
    removed.setRelease(ordinal >>> 6, removed.getPlain(ordinal >>> 6) | (1L << ordinal));
    return true;
  }

  /// The record of a live query, or -1. For the writer.
  int find(SearchId id) {
    return live.getOrDefault(id, -1);
  }

  /// The number of queries ever added.
  int count() {
    return count;
  }

  View view() {
    int published = end;
    return new View(this, published, records, fields, lists, removed);
  }

  long bytes() {
    long bytes = 4L * records.length + vocabulary.bytes() + 5L * lists.length + 64L * live.size();
    for (PostingList list : lists) {
      bytes += list == null ? 0 : list.bytes();
    }
    return bytes;
  }

  /// A delta as of one point in time.
  record View(
      Delta delta,
      int end,
      int[] records,
      Fields fields,
      @Nullable PostingList[] lists,
      AtomicLongArray removed)
      implements Segment {

    @Override
    public Vocabulary vocabulary() {
      return delta.vocabulary;
    }

    @Override
    public int word(Feature word) {
      return delta.vocabulary.find(word);
    }

    @Override
    public boolean isRemoved(int ordinal) {
      return (removed.getAcquire(ordinal >>> 6) & (1L << ordinal)) != 0;
    }

    @Override
    public void single(int feature, Probe probe) {
      show(delta.singleKey(feature), probe);
    }

    @Override
    public void composite(long key, Probe probe) {
      show(key, probe);
    }

    void addLiveTo(List<Query> queries) {
      Decompiler decompiler = new Decompiler(this);
      for (int at = 0; at < end; at += Records.sizeAt(records, at)) {
        if (!isRemoved(records[at])) {
          queries.add(decompiler.query(at));
        }
      }
    }

    private void show(long key, Probe probe) {
      PostingList list = find(lists, key & delta.settings.hashMask() | 1);
      if (list != null && probe.isNew(list.key)) {
        list.show(probe);
      }
    }
  }

  /// The postings of one key, appended by the writer and read up to `size`.
  private static final class PostingList {
    private final long key;
    private long[] postings = new long[2];
    private volatile int size;

    PostingList(long key) {
      this.key = key;
    }

    void add(long first, long second) {
      int at = 2 * size;
      if (at == postings.length) {
        postings = Arrays.copyOf(postings, 2 * at);
      }
      postings[at] = first;
      postings[at + 1] = second;
      size++;
    }

    void show(Probe probe) {
      int shown = size;
      probe.scan(postings, 0, shown);
    }

    long bytes() {
      return 48 + 8L * postings.length;
    }
  }
}
