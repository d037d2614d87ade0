package dev.torg.offers.photo;

import com.google.common.io.BaseEncoding;
import dev.torg.platform.Home;
import java.security.SecureRandom;
import java.util.regex.Pattern;

/// Ids of photos: 24 random letters and digits, which nobody guesses.
public final class PhotoIds {
  private static final int BYTES = 15;
  private static final Pattern SHAPE = Pattern.compile("[a-z2-7]{24}");
  private static final BaseEncoding TEXT = BaseEncoding.base32().lowerCase().omitPadding();
  private static final SecureRandom RANDOM = new SecureRandom();

  private PhotoIds() {}

  public static String random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return TEXT.encode(bytes);
  }

  public static boolean isId(String text) {
    return SHAPE.matcher(text).matches();
  }

  /// Where it is known what has become of the photo. Offers and drafts that show it live elsewhere.
  public static Home home(String id) {
    return Home.of(id);
  }
}
