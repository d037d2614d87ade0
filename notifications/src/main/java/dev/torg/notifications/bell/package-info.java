/// The bell's tables and what may be asked of them.
@NullMarked
package dev.torg.notifications.bell;

import org.jspecify.annotations.NullMarked;
