package dev.torg.notifications;

import java.util.List;

/// The mails and SMS that would have been sent, for the developer of one machine. Holds the newest 1,000 of the last
/// seven days.
public interface DevelopmentOutbox {
  /// The newest first.
  List<CapturedMessage> latest();
}
