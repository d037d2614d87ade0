/// Lists, pages and counts; concurrent requests share a statement.
@NullMarked
package dev.torg.favorites.read;

import org.jspecify.annotations.NullMarked;
