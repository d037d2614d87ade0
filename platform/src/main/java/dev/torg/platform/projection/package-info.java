/// Tables that are derived from topics, and the SQL that keeps them up to date.
@NullMarked
package dev.torg.platform.projection;

import org.jspecify.annotations.NullMarked;
