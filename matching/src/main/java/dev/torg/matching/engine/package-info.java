/// The engine.
@NullMarked
package dev.torg.matching.engine;

import org.jspecify.annotations.NullMarked;
