/// `torg bench favorites`: saving and listing through gRPC on a real server in a process of its own, beside the same
/// work written plainly.
@NullMarked
package dev.torg.bench.favorites;

import org.jspecify.annotations.NullMarked;
