/// Streams that stay open: server-sent events of the bell.
@NullMarked
package dev.torg.server.sse;

import org.jspecify.annotations.NullMarked;
