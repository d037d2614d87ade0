package dev.torg.platform.identity;

import java.time.Instant;

/// A newly issued token.
public record IssuedToken(String token, String subject, Instant expiresAt) {}
