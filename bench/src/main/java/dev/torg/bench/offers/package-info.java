/// `torg bench offers`: durable updates and reads through gRPC on a real server in a process of its own, beside the
/// same work written plainly and beside a call that does nothing.
@NullMarked
package dev.torg.bench.offers;

import org.jspecify.annotations.NullMarked;
