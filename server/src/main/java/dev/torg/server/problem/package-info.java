/// How failures are reported to callers.
///
/// [Problems] turns any throwable into a [ProblemDetails]; [GrpcProblems] and [HttpProblems] are the only two
/// mappings of a kind of failure to the wire.
@NullMarked
package dev.torg.server.problem;

import org.jspecify.annotations.NullMarked;
