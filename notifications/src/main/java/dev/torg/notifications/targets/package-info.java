/// Where people are reached: devices and contacts together, for the delivery loop.
@NullMarked
package dev.torg.notifications.targets;

import org.jspecify.annotations.NullMarked;
