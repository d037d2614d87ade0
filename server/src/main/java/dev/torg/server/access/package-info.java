/// Authorization and rate limits. [RateLimiter] implements GCRA (ITU-T I.371).
///
/// A method declares its callers in its .proto file, a plain HTTP service in its [dev.torg.server.route.HttpRoute]; both become
/// [CallerPolicy]. The [AccessControl] checks token, rate and role of every call from its headers, before any
/// of its body is read: [GrpcAccessDecorator] calls it at the gRPC addresses, [RpcAccessInterceptor] for JSON,
/// [HttpAccessDecorator] for plain services. Only probes (`/health…`, `/metrics`, gRPC's health) bypass it. It
/// also tracks the [InFlightCalls] that a stop waits for.
///
/// [CallDeadline] limits how long an RPC takes, [ResponseMemory] how large its responses are, [BatchCost] what
/// a batch costs of the rate. What callers may hold concurrently is in [dev.torg.server.quota].
@NullMarked
package dev.torg.server.access;

import org.jspecify.annotations.NullMarked;
