/// What a caller sees when something goes wrong.
///
/// [Problems] turns any throwable into a [ProblemDetails]; [GrpcProblems] and [HttpProblems] are the only two places that say
/// what a kind of failure means on the wire.
@NullMarked
package dev.torg.server.problem;

import org.jspecify.annotations.NullMarked;
