/// `torg bench offers`: durable updates and reads through gRPC on a real server in a separate
/// process, compared with a plain implementation of the same work and with an empty call.
@NullMarked
package dev.torg.bench.offers;

import org.jspecify.annotations.NullMarked;
