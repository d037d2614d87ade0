/// The promotions of offers, as module `promotions` announces them on [dev.torg.offers.OfferTopics#PROMOTIONS].
///
/// An offer shows the names of its active services. [PromotionEventsConsumer] applies events by the command
/// [dev.torg.offers.lifecycle.ApplyPromotions]; the part `promotions` has the number of the last one, so that repeated and
/// older events change nothing.
@NullMarked
package dev.torg.offers.promotion;

import org.jspecify.annotations.NullMarked;
