package dev.torg.matching.feature;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A property that an offer can have and a query can require. The hash is only a shortcut: equality is by kind
/// and text.
public final class Feature {

  public enum Kind {
    /// An analysed word of the title or the description.
    WORD,
    /// The offer's category or one of its ancestors.
    CATEGORY,
    /// The offer's region or one above it.
    REGION,
    /// An attribute with one of its values.
    VALUE,
    SELLER,
    PHOTOS,
    /// The offer has some number in this field, whatever it is.
    NUMBER,
    /// The power of two below a price in one currency: narrow price ranges are filed by it.
    PRICE_STEP
  }

  private final Kind kind;
  private final String text;
  private final long hash;

  /// Where this feature was last looked up and the result; only a cache, read and written as a whole.
  private long memo;

  private static final VarHandle MEMO = memoHandle();

  private static VarHandle memoHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(Feature.class, "memo", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Feature(Kind kind, String text) {
    this.kind = kind;
    this.text = text;
    this.hash = Hashes.of(kind.ordinal(), text);
  }

  public static Feature word(String stem) {
    return new Feature(Kind.WORD, stem);
  }

  public static Feature category(String id) {
    return new Feature(Kind.CATEGORY, id);
  }

  public static Feature region(String path) {
    return new Feature(Kind.REGION, path);
  }

  public static Feature value(String key, String value) {
    return new Feature(Kind.VALUE, key + '=' + value);
  }

  public static Feature seller(String id) {
    return new Feature(Kind.SELLER, id);
  }

  public static Feature photos() {
    return new Feature(Kind.PHOTOS, "");
  }

  public static Feature number(String field) {
    return new Feature(Kind.NUMBER, field);
  }

  /// The step of a price: 0 for nothing, else the position of its highest bit.
  public static Feature priceStep(String field, int step) {
    return new Feature(Kind.PRICE_STEP, field + '#' + step);
  }

  /// A feature read back from storage.
  public static Feature of(Kind kind, String text) {
    return new Feature(kind, text);
  }

  public static int step(long price) {
    return price <= 0 ? 0 : 64 - Long.numberOfLeadingZeros(price);
  }

  public Kind kind() {
    return kind;
  }

  public String text() {
    return text;
  }

  public long hash() {
    return hash;
  }

  /// The value last set by [#setMemo], 0 at first.
  public long memo() {
    return (long) MEMO.getOpaque(this);
  }

  public void setMemo(long note) {
    MEMO.setOpaque(this, note);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Feature that
            && hash == that.hash
            && kind == that.kind
            && text.equals(that.text));
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash);
  }

  @Override
  public String toString() {
    return kind + ":" + text;
  }
}
