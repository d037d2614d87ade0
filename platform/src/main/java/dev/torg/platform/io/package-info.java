/// Reading of bytes that others send.
@NullMarked
package dev.torg.platform.io;

import org.jspecify.annotations.NullMarked;
