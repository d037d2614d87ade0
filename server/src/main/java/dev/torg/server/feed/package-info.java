/// Feeds as files over plain HTTP: bodies of any size, read as they arrive.
@NullMarked
package dev.torg.server.feed;

import org.jspecify.annotations.NullMarked;
