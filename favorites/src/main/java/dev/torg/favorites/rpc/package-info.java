/// The wire form of favorites: decodes, calls, encodes.
@NullMarked
package dev.torg.favorites.rpc;

import org.jspecify.annotations.NullMarked;
