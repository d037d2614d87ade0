/// The read side: lists, pages and counts of favorites. Concurrent requests share a statement.
@NullMarked
package dev.torg.favorites.read;

import org.jspecify.annotations.NullMarked;
