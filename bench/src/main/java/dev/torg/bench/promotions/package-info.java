/// Measures quotes, purchases, webhooks and the end of services, beside a plain service and a plain loop.
@NullMarked
package dev.torg.bench.promotions;

import org.jspecify.annotations.NullMarked;
