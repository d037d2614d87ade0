/// The move at login: resumable, each step safe to repeat.
@NullMarked
package dev.torg.favorites.merge;

import org.jspecify.annotations.NullMarked;
