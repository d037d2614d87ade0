/// The photos of offers and drafts.
///
/// A photo has a status of its own: its offer is visible at once, and the photo appears when it is ready.
/// What users see of it is in the offer; its source is in the part `photos`
/// ([dev.torg.offers.lifecycle.PhotoList] changes both together). Adding a photo appends a request to the
/// outbox in the same transaction ([dev.torg.offers.store.PhotoPartStore]); module `photos` prepares it and
/// answers on [dev.torg.photos.PhotoTopics#ANSWERS].
///
/// A request is answered at least once; an answer about a photo that no longer exists is dropped. So a
/// draft that is published or taken over requests its pending photos again, under its new id, and answers
/// need not be forwarded.
@NullMarked
package dev.torg.offers.photo;

import org.jspecify.annotations.NullMarked;
