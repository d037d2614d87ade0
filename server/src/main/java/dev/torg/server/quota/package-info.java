/// Bounds on what callers may hold at once: connections, calls, streams, uploads and bytes of responses, by address or
/// caller and in total. How often they may call is limited by [dev.torg.server.access.RateLimiter].
///
/// [Quotas] are the configured numbers, [Quota] counts one of them, [AddressKey] says which addresses count as one,
/// [Refusals] measures what was refused. [CallsInFlight] knows every call and resets those whose response is not read.
@NullMarked
package dev.torg.server.quota;

import org.jspecify.annotations.NullMarked;
