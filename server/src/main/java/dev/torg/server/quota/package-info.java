/// Limits on what callers may hold concurrently: connections, calls, streams, uploads and bytes of responses,
/// by address or caller and in total. How often they may call is limited by
/// [dev.torg.server.access.RateLimiter].
///
/// [Quotas] are the configured numbers, [Quota] counts one of them, [AddressKey] decides which addresses count
/// as one, [Refusals] counts refusals. [CallsInFlight] tracks every call and resets those whose response is not
/// read.
@NullMarked
package dev.torg.server.quota;

import org.jspecify.annotations.NullMarked;
