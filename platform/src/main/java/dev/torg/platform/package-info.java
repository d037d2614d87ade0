/// What every room stands on.
@NullMarked
package dev.torg.platform;

import org.jspecify.annotations.NullMarked;
