/// Bell entries and pushes under kill -9 of the processes that deliver, and while the provider refuses.
@NullMarked
package dev.torg.bench.delivery;

import org.jspecify.annotations.NullMarked;
