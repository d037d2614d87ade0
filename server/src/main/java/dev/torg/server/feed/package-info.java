/// Feeds as files over plain HTTP: bodies without a limit, read as they arrive.
@NullMarked
package dev.torg.server.feed;

import org.jspecify.annotations.NullMarked;
