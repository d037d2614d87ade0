/// Finds the audiences of campaigns by offers ([SellersByOffers][dev.torg.alerts.audience.SellersByOffers]).
@NullMarked
package dev.torg.alerts.audience;

import org.jspecify.annotations.NullMarked;
