/// `torg bench favorites`: saving and listing through gRPC on a real server in a separate process,
/// compared with a plain implementation of the same work.
@NullMarked
package dev.torg.bench.favorites;

import org.jspecify.annotations.NullMarked;
