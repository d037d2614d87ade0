package dev.torg.server.quota;

/// A limit in total, and one for each address or caller.
public record Bound(long total, long perKey) {}
