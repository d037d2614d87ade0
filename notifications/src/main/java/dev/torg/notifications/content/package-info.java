/// What the content of a notification from another system may be, and its form in the bell.
@NullMarked
package dev.torg.notifications.content;

import org.jspecify.annotations.NullMarked;
