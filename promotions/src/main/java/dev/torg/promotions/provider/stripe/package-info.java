/// Stripe: a Checkout session for each payment, its webhooks, and refunds, with Stripe's own library. Requests have
/// idempotency keys, and objects at Stripe name Torg's payment in their metadata.
@NullMarked
package dev.torg.promotions.provider.stripe;

import org.jspecify.annotations.NullMarked;
