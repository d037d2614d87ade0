/// The photos of offers and drafts.
///
/// A photo has a status of its own: its offer is seen at once, and the photo appears when it is ready.
/// What people see of it is in the offer; where it comes from is in the part `photos` beside it
/// ([dev.torg.offers.lifecycle.PhotoList] changes both together). Whoever adds one leaves a request in the
/// outbox, in the same transaction ([dev.torg.offers.store.PhotoPartStore]).
///
/// `prepare` takes requests from the topic: it fetches (`fetch`), looks at what came and makes the
/// sizes (`image`), stores them (`blob`) and answers on `torg.photos`. `change` is what owners do with
/// photos, and what the answers do to offers and drafts.
///
/// A request always leads to an answer and may lead to several; an answer about a photo that is no
/// longer there is dropped. So a draft that is published or taken over asks again for what is still
/// pending, under its new name, and nobody has to forward anything.
@NullMarked
package dev.torg.offers.photo;

import org.jspecify.annotations.NullMarked;
