/// Photos through the whole pipeline, compared with the bare resizing in one thread.
@NullMarked
package dev.torg.bench.photos;

import org.jspecify.annotations.NullMarked;
