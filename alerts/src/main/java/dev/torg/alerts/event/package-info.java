/// The events of the module: alerts and storms, their reasons and content, and the producer that sends
/// them to their topics.
@NullMarked
package dev.torg.alerts.event;

import org.jspecify.annotations.NullMarked;
