package dev.torg.notifications;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The operator's settings for sending on the channels besides the bell. An absent part is not configured.
///
/// @param mailFrom the sender of mails: an address, with or without a name
/// @param publicUrl the address of this installation without a slash at its end; links without a host are below it
/// @param internalHosts names and addresses that webhooks and web pushes may be sent to even if they are not public
/// @param captures whether mails and SMS that cannot be sent are captured in the development outbox
public record SenderSettings(
    Optional<Smtp> smtp,
    String mailFrom,
    String publicUrl,
    Set<String> internalHosts,
    Optional<Vapid> vapid,
    Optional<Apns> apns,
    Optional<Fcm> fcm,
    Optional<SmsGateway> smsGateway,
    boolean captures) {

  public SenderSettings {
    internalHosts = Set.copyOf(internalHosts);
  }

  /// Nothing is configured.
  public static SenderSettings none() {
    return new SenderSettings(
        Optional.empty(),
        "Torg <noreply@localhost>",
        "http://localhost:8080",
        Set.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /// A mail server. User and password are empty if it requires no login.
  ///
  /// @param tls connect with TLS; otherwise STARTTLS is used if offered
  /// @param requireStartTls send nothing to a server that does not offer STARTTLS
  public record Smtp(
      String host, int port, String user, String password, boolean tls, boolean requireStartTls) {
    @Override
    public String toString() {
      return "Smtp[" + host + ":" + port + "]";
    }
  }

  /// The key by which push services of browsers recognize this installation.
  ///
  /// @param publicKey an uncompressed point of P-256, base64url
  /// @param privateKey base64url
  /// @param subject whom the push service may contact: `mailto:…` or `https://…`
  public record Vapid(String publicKey, String privateKey, String subject) {
    @Override
    public String toString() {
      return "Vapid[" + publicKey + "]";
    }
  }

  /// Apple's push service, with token authentication.
  ///
  /// @param key the signing key, a `.p8` file
  /// @param topic the app's bundle id
  public record Apns(String host, int port, Path key, String keyId, String teamId, String topic) {}

  /// Firebase Cloud Messaging.
  ///
  /// @param credentials the JSON key of a service account
  public record Fcm(URI url, Path credentials) {}

  /// An HTTP service that sends SMS. `{to}`, `{text}` and `{id}` in the address, the headers and the body are replaced.
  ///
  /// @param maxSegments longer texts are shortened
  public record SmsGateway(
      String method,
      String url,
      List<Header> headers,
      String body,
      Set<Integer> successStatuses,
      int maxSegments) {
    public SmsGateway {
      headers = List.copyOf(headers);
      successStatuses = Set.copyOf(successStatuses);
    }

    /// The media type of the body, by which values are escaped.
    public String contentType() {
      return headers.stream()
          .filter(header -> header.name().equalsIgnoreCase("content-type"))
          .map(header -> header.value().toLowerCase(Locale.ROOT))
          .findFirst()
          .orElse("application/x-www-form-urlencoded");
    }

    /// Headers may contain credentials.
    @Override
    public String toString() {
      return "SmsGateway[" + method + "]";
    }
  }

  public record Header(String name, String value) {}
}
