/// The gRPC adapter: decodes requests, calls the services, encodes responses.
@NullMarked
package dev.torg.notifications.rpc;

import org.jspecify.annotations.NullMarked;
