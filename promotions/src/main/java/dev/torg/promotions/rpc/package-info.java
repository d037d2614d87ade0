/// The gRPC adapters of promotions.
@NullMarked
package dev.torg.promotions.rpc;

import org.jspecify.annotations.NullMarked;
