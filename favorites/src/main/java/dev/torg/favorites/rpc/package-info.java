/// The gRPC adapter: decodes requests, calls the services, encodes responses.
@NullMarked
package dev.torg.favorites.rpc;

import org.jspecify.annotations.NullMarked;
