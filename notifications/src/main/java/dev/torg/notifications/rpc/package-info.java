/// The wire form of the notification center: decodes, calls, encodes.
@NullMarked
package dev.torg.notifications.rpc;

import org.jspecify.annotations.NullMarked;
