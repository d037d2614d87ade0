/// Photo uploads and images over plain HTTP.
@NullMarked
package dev.torg.server.photos;

import org.jspecify.annotations.NullMarked;
