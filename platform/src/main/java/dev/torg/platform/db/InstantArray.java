package dev.torg.platform.db;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/// A `timestamptz[]` in PostgreSQL's binary form, which the driver does not write itself: a header,
/// then for each element its length and the microseconds since 2000.
final class InstantArray extends PGobject implements PGBinaryObject {
  private static final int TIMESTAMPTZ_OID = 1184;
  private static final int HEADER_BYTES = 20;
  private static final int ELEMENT_BYTES = 12;
  private static final int NULL_LENGTH = -1;
  private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

  private final transient @Nullable Instant[] instants;

  InstantArray(@Nullable Instant[] instants) {
    this.instants = instants;
    setType("_timestamptz");
  }

  @Override
  public int lengthInBytes() {
    int length = HEADER_BYTES;
    for (Instant instant : instants) {
      length += instant == null ? Integer.BYTES : ELEMENT_BYTES;
    }
    return length;
  }

  @Override
  public void toBytes(byte[] bytes, int offset) {
    ByteBuffer out = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
    int dimensions = 1;
    int hasNulls = 1;
    int lowerBound = 1;
    out.putInt(dimensions).putInt(hasNulls).putInt(TIMESTAMPTZ_OID);
    out.putInt(instants.length).putInt(lowerBound);
    for (Instant instant : instants) {
      put(out, instant);
    }
  }

  private static void put(ByteBuffer out, @Nullable Instant instant) {
    if (instant == null) {
      out.putInt(NULL_LENGTH);
    } else {
      out.putInt(Long.BYTES).putLong(EPOCH.until(instant, ChronoUnit.MICROS));
    }
  }

  @Override
  public void setByteValue(byte[] bytes, int offset) {
    throw new UnsupportedOperationException("only sent, never received");
  }

  /// The same in text, for a connection that does not use the binary format.
  @Override
  public String getValue() {
    StringBuilder text = new StringBuilder("{");
    for (Instant instant : instants) {
      text.append(text.length() == 1 ? "" : ",").append(instant == null ? "NULL" : instant);
    }
    return text.append('}').toString();
  }
}
