package dev.torg.notifications;

import java.time.Instant;

/// A mail or SMS that was captured instead of being sent.
///
/// @param subject empty for SMS
/// @param html empty for SMS
public record CapturedMessage(
    Channel channel, String to, String subject, String text, String html, Instant at) {}
