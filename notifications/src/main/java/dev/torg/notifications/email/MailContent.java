package dev.torg.notifications.email;

/// A rendered mail.
public record MailContent(String subject, String text, String html) {}
