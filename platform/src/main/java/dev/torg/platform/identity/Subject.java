package dev.torg.platform.identity;

import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The grammar of subjects: `user:42`, `anon:9f…`, `service:feeds`. Ids hold no colon, slash or space, so a subject is
/// safe in a path, a header and a log line.
public final class Subject {
  public static final String SERVICE_PREFIX = "service:";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~@|+-]{1,128}");
  private static final SecureRandom RANDOM = new SecureRandom();

  /// 128 bits: anonymous identities cannot be guessed and do not collide.
  private static final int ANONYMOUS_BYTES = 16;

  private Subject() {}

  /// `42` and `user:42` both become `user:42`.
  public static String ofUser(String id, String field) {
    String bare =
        id.startsWith(Caller.USER_PREFIX) ? id.substring(Caller.USER_PREFIX.length()) : id;
    if (!ID.matcher(bare).matches()) {
      throw malformed(field, "must be an id like 42 or user:42");
    }
    return Caller.USER_PREFIX + bare;
  }

  /// A whole subject of any of the three kinds.
  public static String parse(String subject, String field) {
    if (!isValid(subject)) {
      throw malformed(field, "must look like user:42, anon:… or service:feeds");
    }
    return subject;
  }

  public static boolean isValid(String subject) {
    int colon = subject.indexOf(':') + 1;
    return switch (subject.substring(0, colon)) {
      case Caller.USER_PREFIX, Caller.ANONYMOUS_PREFIX, SERVICE_PREFIX ->
          ID.matcher(subject.substring(colon)).matches();
      default -> false;
    };
  }

  static String randomAnonymous() {
    byte[] bytes = new byte[ANONYMOUS_BYTES];
    RANDOM.nextBytes(bytes);
    return Caller.ANONYMOUS_PREFIX + HexFormat.of().formatHex(bytes);
  }

  private static Failure malformed(String field, String problem) {
    return Failure.invalid("subject.malformed", "not a subject", field, problem);
  }
}
