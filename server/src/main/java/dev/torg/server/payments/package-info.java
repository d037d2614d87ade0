/// The webhook of the payment provider.
@NullMarked
package dev.torg.server.payments;

import org.jspecify.annotations.NullMarked;
