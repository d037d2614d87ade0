/// Who may call what, and how often.
///
/// A method declares its callers in its .proto file, a plain HTTP service in its [dev.torg.server.HttpRoute]; both become
/// [Callers]. The [Gate] checks token, role and rate of every call; [RpcGate] stands before RPCs of any protocol,
/// [RouteGate] before plain services.
@NullMarked
package dev.torg.server.access;

import org.jspecify.annotations.NullMarked;
