package dev.torg.platform.identity;

import java.time.Instant;

/// A token as handed out.
public record IssuedToken(String token, String subject, Instant expiresAt) {}
