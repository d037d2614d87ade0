/// The server: gRPC, gRPC-Web and JSON on one port, and who may call what.
///
/// [TorgServer] takes RPCs ([RpcBinding]), plain HTTP services ([HttpRoute]) and readiness checks and starts; it knows no
/// database. A request passes the envelope (request id, access log), the gate ([dev.torg.server.access]), and reaches the
/// service; whatever goes wrong on the way leaves through [dev.torg.server.problem].
@NullMarked
package dev.torg.server;

import org.jspecify.annotations.NullMarked;
