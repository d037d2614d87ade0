/// `torg bench offers`: durable updates and reads through gRPC on a real server in a process of its own,
/// compared with a plain implementation of the same work and with a call that does nothing.
@NullMarked
package dev.torg.bench.offers;

import org.jspecify.annotations.NullMarked;
