/// Notification settings of users: validation, storage, defaults.
@NullMarked
package dev.torg.notifications.settings;

import org.jspecify.annotations.NullMarked;
