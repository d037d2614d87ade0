/// Payment providers behind one interface: a checkout where a person pays, the state of a payment, refunds, and signed
/// webhooks. A provider knows payments by the ids that Torg gives them, so every call can be repeated.
@NullMarked
package dev.torg.promotions.provider;

import org.jspecify.annotations.NullMarked;
