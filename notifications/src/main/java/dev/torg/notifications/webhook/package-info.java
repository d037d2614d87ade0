/// Webhooks: signed calls of addresses that recipients gave, as Standard Webhooks defines them.
@NullMarked
package dev.torg.notifications.webhook;

import org.jspecify.annotations.NullMarked;
