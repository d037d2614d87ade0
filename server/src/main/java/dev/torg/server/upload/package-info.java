/// Bodies of requests that are larger than memory: read as they arrive, abandoned when the sender stalls.
@NullMarked
package dev.torg.server.upload;

import org.jspecify.annotations.NullMarked;
