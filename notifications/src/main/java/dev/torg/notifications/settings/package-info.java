/// What a person may say about being notified, and whether it makes sense.
@NullMarked
package dev.torg.notifications.settings;

import org.jspecify.annotations.NullMarked;
