/// Event streams: from a committed change of a bell to the streams open in this and other processes.
@NullMarked
package dev.torg.notifications.stream;

import org.jspecify.annotations.NullMarked;
