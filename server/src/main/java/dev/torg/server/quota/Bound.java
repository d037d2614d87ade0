package dev.torg.server.quota;

/// So much in total, and so much of it for one address or caller.
public record Bound(long total, long perKey) {}
