/// Saving and removing by batches: what each id of a request comes to.
@NullMarked
package dev.torg.favorites.save;

import org.jspecify.annotations.NullMarked;
