/// The notification center: the bell, unread counts, settings, and the face `Bell` through which other rooms speak.
@NullMarked
package dev.torg.notifications;

import org.jspecify.annotations.NullMarked;
