/// The page on which a person pays or declines in the sandbox, the built-in payment provider.
@NullMarked
package dev.torg.server.sandbox;

import org.jspecify.annotations.NullMarked;
