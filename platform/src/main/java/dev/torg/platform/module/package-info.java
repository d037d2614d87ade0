/// What every business module is built on in a process.
@NullMarked
package dev.torg.platform.module;

import org.jspecify.annotations.NullMarked;
