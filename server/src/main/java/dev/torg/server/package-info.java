/// The server: gRPC, gRPC-Web and JSON on one port, and access control.
///
/// [TorgServer] is started with RPCs ([RpcBinding]), plain HTTP services ([HttpRoute]) and readiness checks; it
/// does not depend on a database. A request passes the request id and access log, access control
/// ([dev.torg.server.access]), and reaches the service; failures are reported by [dev.torg.server.problem].
@NullMarked
package dev.torg.server;

import org.jspecify.annotations.NullMarked;
