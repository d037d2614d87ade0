/// JSON over HTTP for every unary RPC, from its `google.api.http` rules.
///
/// [JsonRoutes] finds the rules and binds them; a [HttpRuleBinding] reads one request ([RequestReader]), runs
/// the RPC in process ([JsonCall]) with the same interceptors as gRPC, and prints the response. [ProtoJson] is
/// proto3 JSON, read strictly; [JsonFieldErrors] reports which field was wrong.
@NullMarked
package dev.torg.server.json;

import org.jspecify.annotations.NullMarked;
