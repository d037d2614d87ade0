/// From a committed change to the streams that are open in this and other processes.
@NullMarked
package dev.torg.notifications.stream;

import org.jspecify.annotations.NullMarked;
