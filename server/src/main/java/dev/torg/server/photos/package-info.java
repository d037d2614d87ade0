/// Photos as bytes: uploads, and the pictures themselves.
@NullMarked
package dev.torg.server.photos;

import org.jspecify.annotations.NullMarked;
