/// Changes of what people save: commands, decided in memory under the owner's lock, many owners at once.
@NullMarked
package dev.torg.favorites.write;

import org.jspecify.annotations.NullMarked;
