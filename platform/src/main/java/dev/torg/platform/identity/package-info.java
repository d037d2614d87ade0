/// Callers: signed tokens (JWT, ES256) and their claims.
///
/// [TokenService] issues and verifies. Its keys are a file in the data directory ([SigningKeys]):
/// the first key signs, the others verify until the last token they signed has expired, which is
/// how keys are rotated. An external identity provider ([IdentityProvider]) is trusted in addition
/// to Torg's own keys: it issues tokens for users, while anonymous identities are always issued by
/// Torg. Verified tokens are cached, so the signature is checked once and not on every call.
/// [MessageAuthenticator] recognizes links that Torg created, with keys derived from the same file.
@NullMarked
package dev.torg.platform.identity;

import org.jspecify.annotations.NullMarked;
