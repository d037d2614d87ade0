package dev.torg.notifications;

/// What notifications are about. An exempt topic cannot be muted.
public record Topic(String id, String name, boolean exempt) {}
