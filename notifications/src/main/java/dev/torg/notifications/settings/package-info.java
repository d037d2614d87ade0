/// Notification settings of users: validation, storage, defaults, and the timezone that applies to a user
/// ([StoredRecipientSettings][dev.torg.notifications.settings.StoredRecipientSettings]).
@NullMarked
package dev.torg.notifications.settings;

import org.jspecify.annotations.NullMarked;
