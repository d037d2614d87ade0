/// Who calls: signed tokens (JWT, ES256) and what they say.
///
/// [TokenService] issues and verifies. Its keys are a file in the data directory ([SigningKeys]): the first key signs, the
/// others verify until the last token they signed has expired, which is how keys are rotated. A given identity provider
/// ([IdentityProvider]) is trusted next to Torg's own keys: people come from there, anonymous identities always from
/// Torg. A verified token is remembered, so the signature is checked once and not on every call.
@NullMarked
package dev.torg.platform.identity;

import org.jspecify.annotations.NullMarked;
