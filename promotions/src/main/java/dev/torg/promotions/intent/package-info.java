/// Promotion intents: services that a seller wants for an offer, named by its external id, paid from the balance.
///
/// **Arrival.** The API and feeds store an intent ([IntentService][dev.torg.promotions.intent.IntentService]) and make it
/// due; so does `torg.offers` when an offer with its external id becomes active
/// ([IntentOffersConsumer][dev.torg.promotions.intent.IntentOffersConsumer]), and a ledger entry by which the balance of
/// its seller grows ([IntentRetryStore][dev.torg.promotions.intent.IntentRetryStore]). None of them buys anything.
///
/// **Examination.** [BuyIntentsJob][dev.torg.promotions.intent.BuyIntentsJob] reads the offers and prices of due intents
/// without a lock, and then decides them in one transaction
/// ([IntentBuyer][dev.torg.promotions.intent.IntentBuyer]): the charge, the services and the state of the intent commit
/// together. What [IntentDecision][dev.torg.promotions.intent.IntentDecision] decides is pure.
///
/// **No wake-up is lost.** An arrival or wake-up increments the intent's version. An examination that read before it finds
/// another version under the lock and changes nothing, so the intent stays due.
///
/// **Nothing is bought twice.** An intent that is repeated is examined again, finds its services active and buys nothing.
/// Once they have ended, the next repetition buys them again. An intent that is not repeated is never renewed.
@NullMarked
package dev.torg.promotions.intent;

import org.jspecify.annotations.NullMarked;
