package dev.torg.alerts.engine;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// The position in `torg.searches` at the time of a snapshot: the next offset of each partition.
record SnapshotOffsets(Instant at, Map<Integer, Long> offsets) {
  SnapshotOffsets {
    offsets = Map.copyOf(offsets);
  }

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(at.toEpochMilli());
    out.writeInt(offsets.size());
    for (Map.Entry<Integer, Long> partition : offsets.entrySet()) {
      out.writeInt(partition.getKey());
      out.writeLong(partition.getValue());
    }
    return bytes.toByteArray();
  }

  static SnapshotOffsets parse(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    Instant at = Instant.ofEpochMilli(in.readLong());
    Map<Integer, Long> offsets = new TreeMap<>();
    for (int remaining = in.readInt(); remaining > 0; remaining--) {
      int partition = in.readInt();
      offsets.put(partition, in.readLong());
    }
    return new SnapshotOffsets(at, offsets);
  }
}
