/// What a person's settings allow on the channels besides the bell: a message is delivered now, held back until a
/// later time, or suppressed with a reason ([DeliveryPolicy][dev.torg.notifications.delivery.DeliveryPolicy]). Pure:
/// settings, time and what was delivered before are parameters.
@NullMarked
package dev.torg.notifications.delivery;

import org.jspecify.annotations.NullMarked;
