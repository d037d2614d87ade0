package dev.torg.matching.engine;

import dev.torg.matching.OfferFeatures;
import dev.torg.matching.Query;
import dev.torg.matching.SearchId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Standing queries, and which of them an offer satisfies. Any number of threads match concurrently
/// without locks; writers queue behind one lock. An `add` or `remove` that has returned is visible
/// to every match started after it.
public final class Engine implements AutoCloseable {
  /// Probes pooled for reuse; more concurrent readers create their own.
  private static final int PROBES = 64;

  /// While loading, the delta may grow this large, or as large as the base.
  private static final int LOAD_STEP = 1_000_000;

  /// The state that a match reads, replaced as a whole. `frozen` is the delta that a merge is folding in.
  record State(Base base, @Nullable Delta frozen, Delta delta) {}

  private final EngineSettings settings;
  private final Observations observations;
  private final Estimator estimator;
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock merging = new ReentrantLock();
  private final MergeThread merger = new MergeThread(this::merge);
  private final ArrayBlockingQueue<Probe> probes = new ArrayBlockingQueue<>(PROBES);

  /// Ids removed during a merge, to be removed from its result too.
  private final List<SearchId> removedMeanwhile = new ArrayList<>();

  private volatile State state;
  private long live;
  private long changes;

  Engine(EngineSettings settings, Observations observations, @Nullable Base base) {
    this.settings = settings;
    this.observations = observations;
    this.estimator = new Estimator(observations);
    Base start = base == null ? new BaseBuilder(settings, observations, List.of()).build() : base;
    this.live = start.liveCount();
    this.state = new State(start, null, new Delta(settings, observations, start.fields()));
  }

  public static Engine create(InstantSource clock) {
    return new Engine(EngineSettings.defaults(), new Observations(clock), null);
  }

  /// An engine as `snapshot` left it, with the caller's header.
  public record Restored(Engine engine, byte[] header) {}

  /// Fails with [SnapshotException] where the file is cut, damaged, or of another analysis or version.
  public static Restored restore(Path file, InstantSource clock) throws IOException {
    return Snapshot.read(file, EngineSettings.defaults(), clock);
  }

  /// Adds a query; returns false if it already exists.
  public boolean add(Query query) {
    SearchId id = query.searchId();
    writing.lock();
    try {
      return addLocked(id, query);
    } finally {
      writing.unlock();
    }
  }

  private boolean addLocked(SearchId id, Query query) {
    if (contains(id)) {
      return false;
    }
    state.delta.add(id, query);
    live++;
    changed();
    return true;
  }

  /// Removes a query; returns false if it does not exist. No match started after this returns
  /// reports it.
  public boolean remove(SearchId id) {
    writing.lock();
    try {
      return removeLocked(id);
    } finally {
      writing.unlock();
    }
  }

  private boolean removeLocked(SearchId id) {
    if (!state.delta.remove(id) && !removeMerging(id) && !removeFromBase(id)) {
      return false;
    }
    live--;
    changed();
    return true;
  }

  private boolean removeMerging(SearchId id) {
    Delta frozen = state.frozen;
    return frozen != null && frozen.remove(id) && removedMeanwhile.add(id);
  }

  private boolean removeFromBase(SearchId id) {
    Base base = state.base;
    int record = base.find(id);
    if (record < 0) {
      return false;
    }
    base.remove(base.records()[record]);
    if (state.frozen != null) {
      removedMeanwhile.add(id);
    }
    return true;
  }

  /// Replaces a query by another one.
  public void replace(SearchId old, Query query) {
    SearchId id = query.searchId();
    writing.lock();
    try {
      addLocked(id, query);
      if (!id.equals(old)) {
        removeLocked(old);
      }
    } finally {
      writing.unlock();
    }
  }

  /// Adds many queries with few merges: for start-up. Matching continues meanwhile.
  public void load(Iterator<Query> queries) {
    while (queries.hasNext()) {
      Query query = queries.next();
      SearchId id = query.searchId();
      writing.lock();
      try {
        if (!contains(id)) {
          state.delta.add(id, query);
          live++;
        }
      } finally {
        writing.unlock();
      }
      if (state.delta.count() >= Math.max(LOAD_STEP, state.base.count())) {
        merge();
      }
    }
    merge();
  }

  /// A running merge is not woken again; a failed one is, although its delta still exists.
  private void changed() {
    changes++;
    if (changes >= Math.max(settings.mergeAfter(), state.base.count() / 16)
        && !merging.isLocked()) {
      changes = 0;
      merger.wake();
    }
  }

  public boolean contains(SearchId id) {
    writing.lock();
    try {
      Delta frozen = state.frozen;
      return state.delta.find(id) >= 0
          || (frozen != null && frozen.find(id) >= 0)
          || state.base.find(id) >= 0;
    } finally {
      writing.unlock();
    }
  }

  /// The query of an id.
  public Optional<Query> query(SearchId id) {
    writing.lock();
    try {
      for (Delta delta : deltas()) {
        if (delta.find(id) >= 0) {
          return Optional.of(new Decompiler(delta.view()).query(delta.find(id)));
        }
      }
      int record = state.base.find(id);
      return record < 0 ? Optional.empty() : Optional.of(new Decompiler(state.base).query(record));
    } finally {
      writing.unlock();
    }
  }

  private List<Delta> deltas() {
    Delta frozen = state.frozen;
    return frozen == null ? List.of(state.delta) : List.of(state.delta, frozen);
  }

  public long size() {
    writing.lock();
    try {
      return live;
    } finally {
      writing.unlock();
    }
  }

  /// The queries that the offer satisfies. The offer counts as seen.
  public Matches match(OfferFeatures offer) {
    Matches matches = rematch(offer);
    observations.see(offer);
    return matches;
  }

  /// The same for an offer that was seen before: its former state, or an edit of it.
  public Matches rematch(OfferFeatures offer) {
    State now = state;
    Probe probe = probes.poll();
    if (probe == null) {
      probe = new Probe(settings.hashMask(), now.base);
    }
    probe.begin(offer);
    probe.run(now.base);
    if (now.frozen != null) {
      probe.run(now.frozen.view());
    }
    probe.run(now.delta.view());
    Matches matches = probe.finish();
    release(probe);
    return matches;
  }

  @SuppressWarnings("ReturnValueIgnored")
  private void release(Probe probe) {
    probes.offer(probe);
  }

  /// Whether one query, held or not, is satisfied.
  public boolean matches(Query query, OfferFeatures offer) {
    return Clauses.of(query).stream().allMatch(clause -> clause.holds(offer));
  }

  /// Clause by clause, and which one decided.
  public MatchExplanation explain(Query query, OfferFeatures offer) {
    return MatchExplanation.of(query, offer, observations);
  }

  /// How many offers a day would match, from the offers seen.
  public MatchEstimate estimate(Query query) {
    return estimator.estimate(query);
  }

  /// Folds the delta into a new base, choosing keys again. Readers and writers continue meanwhile.
  public void merge() {
    merging.lock();
    try {
      State before = freeze();
      List<Segment> sources =
          before.frozen == null ? List.of(before.base) : List.of(before.base, before.frozen.view());
      publish(new BaseBuilder(settings, observations, sources).build());
    } finally {
      merging.unlock();
    }
  }

  /// Where an earlier merge failed, its delta still exists and is merged first.
  private State freeze() {
    writing.lock();
    try {
      changes = 0;
      removedMeanwhile.clear();
      if (state.frozen == null) {
        state =
            new State(
                state.base, state.delta, new Delta(settings, observations, state.base.fields()));
      }
      return state;
    } finally {
      writing.unlock();
    }
  }

  private void publish(Base merged) {
    writing.lock();
    try {
      for (SearchId id : removedMeanwhile) {
        int record = merged.find(id);
        if (record >= 0) {
          merged.remove(merged.records()[record]);
        }
      }
      removedMeanwhile.clear();
      state = new State(merged, null, state.delta);
    } finally {
      writing.unlock();
    }
  }

  /// Writes all queries and the caller's header (such as topic offsets) to a file, replacing it atomically. The
  /// content is that of the time of the call; matching and changes continue meanwhile. The caller ensures that
  /// the header fits that time.
  public void snapshot(Path file, byte[] header) throws IOException {
    merging.lock();
    try {
      Snapshot.write(file, header, capture());
    } finally {
      merging.unlock();
    }
  }

  private Snapshot.Content capture() {
    writing.lock();
    try {
      List<Query> recent = new ArrayList<>();
      deltas().forEach(delta -> delta.view().addLiveTo(recent));
      return new Snapshot.Content(state.base, state.base.removedBits(), recent, observations);
    } finally {
      writing.unlock();
    }
  }

  public EngineStats stats() {
    writing.lock();
    try {
      long bytes = state.base.bytes() + observations.bytes();
      for (Delta delta : deltas()) {
        bytes += delta.bytes();
      }
      return new EngineStats(
          live, state.base.count(), state.delta.count(), bytes, observations.offersPerDay());
    } finally {
      writing.unlock();
    }
  }

  State state() {
    return state;
  }

  /// Ends the background thread; matching remains available.
  @Override
  public void close() {
    merger.close();
  }
}
