package dev.torg.notifications.contacts;

import dev.torg.platform.Failure;
import dev.torg.platform.net.PublicHostResolver;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Validates addresses and brings them into one form. Only characters that need no quoting are accepted, so an address
/// cannot add headers or commands to the protocols that carry it.
final class ContactAddresses {
  /// RFC 5321.
  private static final int MAX_MAIL_LENGTH = 254;

  private static final int MAX_LOCAL_PART_LENGTH = 64;
  private static final int MAX_URL_LENGTH = 2_000;

  private static final Pattern LOCAL_PART =
      Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*");

  /// At least two labels; the last one is no number.
  private static final Pattern DOMAIN =
      Pattern.compile("([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])");

  /// E.164.
  private static final Pattern PHONE = Pattern.compile("\\+[1-9][0-9]{6,14}");

  private static final Pattern PHONE_SEPARATORS = Pattern.compile("[ ()-]");

  private final PublicHostResolver hosts;

  ContactAddresses(PublicHostResolver hosts) {
    this.hosts = hosts;
  }

  /// The address in its one form, or INVALID.
  String normal(ContactKind kind, String address) {
    return switch (kind) {
      case EMAIL -> mail(address).orElseThrow(() -> invalid("must be a mail address"));
      case PHONE ->
          phone(address)
              .orElseThrow(() -> invalid("must be an international number like +4915112345678"));
      case WEBHOOK -> webhook(address);
    };
  }

  /// The form in which the address would be stored; a wrong one stays as it is.
  static String normalOrSame(ContactKind kind, String address) {
    return switch (kind) {
      case EMAIL -> mail(address).orElse(address);
      case PHONE -> phone(address).orElse(address);
      case WEBHOOK -> address;
    };
  }

  /// The domain in lower case and, if it is internationalized, in its ASCII form. The part before it is the receiving
  /// server's matter.
  static Optional<String> mail(String address) {
    int at = address.lastIndexOf('@');
    if (at < 1
        || at > MAX_LOCAL_PART_LENGTH
        || !LOCAL_PART.matcher(address.substring(0, at)).matches()) {
      return Optional.empty();
    }
    return domain(address.substring(at + 1))
        .map(domain -> address.substring(0, at + 1) + domain)
        .filter(mail -> mail.length() <= MAX_MAIL_LENGTH);
  }

  private static Optional<String> domain(String domain) {
    if (domain.length() > MAX_MAIL_LENGTH) {
      return Optional.empty();
    }
    try {
      String ascii = IDN.toASCII(domain, IDN.USE_STD3_ASCII_RULES).toLowerCase(Locale.ROOT);
      return Optional.of(ascii).filter(name -> DOMAIN.matcher(name).matches());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static Optional<String> phone(String number) {
    return Optional.of(PHONE_SEPARATORS.matcher(number).replaceAll(""))
        .filter(digits -> PHONE.matcher(digits).matches());
  }

  private String webhook(String address) {
    URI uri = uri(address);
    String host = uri.getHost();
    if (host == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw invalid("must be an https address without user and fragment");
    }
    boolean isTrusted = hosts.isTrusted(host);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("https") && !(isTrusted && scheme.equals("http"))) {
      throw invalid("must be an https address");
    }
    if (!isTrusted && !isPublic(host)) {
      throw invalid("must be on the public network");
    }
    return address;
  }

  private static URI uri(String address) {
    if (address.length() > MAX_URL_LENGTH) {
      throw invalid("must have at most " + MAX_URL_LENGTH + " characters");
    }
    try {
      return new URI(address);
    } catch (URISyntaxException e) {
      throw invalid("must be an https address");
    }
  }

  private static Failure invalid(String problem) {
    return Failure.invalid("contact.address", "not a valid address", "address", problem);
  }

  private boolean isPublic(String host) {
    try {
      return !hosts.resolve(host).isEmpty();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
