package dev.torg.notifications.email;

import dev.torg.notifications.channel.DeliveryOutcome;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.eclipse.angus.mail.util.MailConnectException;
import org.jspecify.annotations.Nullable;

/// Maps failures of SMTP to outcomes.
final class SmtpOutcomes {
  /// Enhanced status codes (RFC 3463) of mailboxes that do not exist or have moved, and of domains without mail.
  private static final Set<String> GONE = Set.of("5.1.1", "5.1.6", "5.1.10");

  private static final Pattern ENHANCED =
      Pattern.compile("^\\s*\\d{3}[ -](\\d\\.\\d{1,3}\\.\\d{1,3})\\b");

  /// A reply of the server.
  private record Reply(int code, @Nullable String text, boolean toRecipient) {}

  private SmtpOutcomes() {}

  /// A failure to connect or to log in.
  static DeliveryOutcome ofConnect(MessagingException failure) {
    if (failure instanceof AuthenticationFailedException) {
      return DeliveryOutcome.refused("login-failed");
    }
    return DeliveryOutcome.refused(connectReason(cause(failure)));
  }

  private static String connectReason(@Nullable Throwable cause) {
    return switch (cause) {
      case ConnectException _ -> "connection-refused";
      case SocketTimeoutException _ -> "timeout";
      case UnknownHostException _ -> "unknown-host";
      case SSLException _ -> "tls-failed";
      case null, default -> "not-connected";
    };
  }

  private static @Nullable Throwable cause(MessagingException failure) {
    if (failure instanceof MailConnectException) {
      return failure.getNextException();
    }
    Exception next = failure.getNextException();
    return next instanceof MessagingException nested ? cause(nested) : next;
  }

  /// A failure to send.
  ///
  /// @param dataEnded whether the end of the mail's data was sent
  static DeliveryOutcome ofSend(MessagingException failure, boolean dataEnded) {
    Optional<Reply> reply = reply(failure);
    if (reply.isPresent()) {
      return ofReply(reply.get());
    }
    return dataEnded
        ? DeliveryOutcome.unknown("connection-lost")
        : DeliveryOutcome.refused("connection-lost");
  }

  /// Whether the connection is unusable: the server has not replied.
  static boolean isLost(MessagingException failure) {
    return reply(failure).isEmpty();
  }

  /// The reply about the recipient, which is nested in the failure of the whole mail, before any other.
  private static Optional<Reply> reply(Throwable failure) {
    Reply found = null;
    for (Throwable each = failure; each != null; each = next(each)) {
      if (each instanceof SMTPAddressFailedException e) {
        found = new Reply(e.getReturnCode(), e.getMessage(), true);
        break;
      }
      Reply reply = general(each);
      if (found == null && reply != null) {
        found = reply;
      }
    }
    return Optional.ofNullable(found).filter(reply -> reply.code() >= 400);
  }

  private static @Nullable Reply general(Throwable failure) {
    return switch (failure) {
      case SMTPSendFailedException e -> new Reply(e.getReturnCode(), e.getMessage(), false);
      case SMTPSenderFailedException e -> new Reply(e.getReturnCode(), e.getMessage(), false);
      default -> null;
    };
  }

  private static @Nullable Throwable next(Throwable failure) {
    return failure instanceof MessagingException e ? e.getNextException() : null;
  }

  private static DeliveryOutcome ofReply(Reply reply) {
    String reason = "smtp-" + reply.code();
    if (reply.code() < 500) {
      return DeliveryOutcome.refused(reason);
    }
    return reply.toRecipient() && isGone(String.valueOf(reply.text()))
        ? DeliveryOutcome.targetGone(reason)
        : DeliveryOutcome.rejected(reason);
  }

  private static boolean isGone(String text) {
    Matcher enhanced = ENHANCED.matcher(text);
    return enhanced.find() && GONE.contains(enhanced.group(1));
  }
}
