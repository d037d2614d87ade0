/// What sellers do: ask for quotes and buy them.
@NullMarked
package dev.torg.promotions.service;

import org.jspecify.annotations.NullMarked;
