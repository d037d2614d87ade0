package dev.torg.notifications.channel;

/// A button below a message.
public record MessageButton(String text, MessageAction action) {}
