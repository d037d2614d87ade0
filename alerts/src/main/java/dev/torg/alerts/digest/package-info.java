/// What waits for a reader's hour, sent once a day as one entry; and the move of it at login.
@NullMarked
package dev.torg.alerts.digest;

import org.jspecify.annotations.NullMarked;
