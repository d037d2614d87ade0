/// From a query as people write it to the saved search: canonical form, estimate, limits.
@NullMarked
package dev.torg.favorites.search;

import org.jspecify.annotations.NullMarked;
