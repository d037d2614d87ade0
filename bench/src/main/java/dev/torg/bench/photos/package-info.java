/// Photos through the whole pipeline, beside the bare making of their sizes in one thread.
@NullMarked
package dev.torg.bench.photos;

import org.jspecify.annotations.NullMarked;
