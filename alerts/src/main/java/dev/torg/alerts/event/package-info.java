/// An alert on its way from an offer to a reader, and the topics it travels by.
@NullMarked
package dev.torg.alerts.event;

import org.jspecify.annotations.NullMarked;
