package dev.torg.photos;

import com.google.common.io.BaseEncoding;
import dev.torg.platform.Home;
import java.security.SecureRandom;
import java.util.regex.Pattern;

/// Ids of photos: 24 random letters and digits, 120 bits, so they cannot be guessed.
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

  /// The home of the photo's own rows. The offers and drafts that show it have other homes.
  public static Home home(String id) {
    return Home.of(id);
  }
}
