package dev.torg.server.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;

/// Collects printed JSON as UTF-8, up to a maximum number of bytes. It corrects two properties of
/// the protobuf library's printer:
///
/// - It escapes `< > & = '` for use in HTML, six bytes for each. A JSON document needs none of
///   that.
/// - It prints every number of a `google.protobuf.Value` as a double; a year is 2015, not 2015.0.
///
/// The printer appends token by token: an escaped character, a number and a quotation mark are
/// appended separately, the text between them as a range of a longer one.
final class JsonBuffer implements Appendable {
  /// Escapes that only HTML needs.
  private static final Map<String, String> UNESCAPED =
      Map.of("\\u003c", "<", "\\u003e", ">", "\\u0026", "&", "\\u003d", "=", "\\u0027", "'");

  private static final Pattern DOUBLE = Pattern.compile("-?[0-9]+\\.[0-9]+(E-?[0-9]+)?");

  /// 2^53: beyond it a double does not represent every integer.
  private static final double LARGEST_EXACT = 9_007_199_254_740_992.0;

  private static final int FIRST_BYTES = 512;
  private static final int ASCII_END = 0x80;

  private final int maxBytes;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  JsonBuffer(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /// The document is longer than allowed; the text printed so far is discarded.
  static final class FullException extends IOException {
    private static final long serialVersionUID = 1;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  @Override
  public Appendable append(CharSequence token) throws IOException {
    String text = token.toString();
    write(isEscape(text) ? UNESCAPED.getOrDefault(text, text) : number(text));
    return this;
  }

  @Override
  public Appendable append(CharSequence text, int from, int to) throws IOException {
    write(text.subSequence(from, to).toString());
    return this;
  }

  @Override
  public Appendable append(char character) throws IOException {
    write(String.valueOf(character));
    return this;
  }

  private static boolean isEscape(String token) {
    return token.length() == 6 && token.charAt(0) == '\\';
  }

  private static String number(String token) {
    if (token.indexOf('.') < 0 || !DOUBLE.matcher(token).matches()) {
      return token;
    }
    double value = Double.parseDouble(token);
    boolean integral = value == Math.rint(value) && Math.abs(value) < LARGEST_EXACT;
    return integral ? Long.toString((long) value) : token;
  }

  private void write(String text) throws IOException {
    if (isShortAscii(text)) {
      reserve(text.length());
      for (int i = 0; i < text.length(); i++) {
        bytes[length++] = (byte) text.charAt(i);
      }
    } else {
      byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
      reserve(encoded.length);
      System.arraycopy(encoded, 0, bytes, length, encoded.length);
      length += encoded.length;
    }
  }

  /// Names, numbers and punctuation, most of a document's tokens, need no separate array.
  private static boolean isShortAscii(String text) {
    if (text.length() > 32) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= ASCII_END) {
        return false;
      }
    }
    return true;
  }

  private void reserve(int more) throws FullException {
    if (more > maxBytes - length) {
      throw new FullException();
    }
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, Math.min(2 * bytes.length, maxBytes)));
    }
  }
}
