/// The photos of offers and drafts.
///
/// Each photo has a status: its offer is published at once, and the photo appears when it is ready. What users
/// see of a photo is in the offer; its source is in the part `photos`. [dev.torg.offers.lifecycle.PhotoList]
/// changes both together.
///
/// [PhotoService] adds, orders and removes photos for owners. On an offer each of these is a command
/// ([dev.torg.offers.lifecycle.AddPhoto], [dev.torg.offers.lifecycle.OrderPhotos],
/// [dev.torg.offers.lifecycle.RemovePhoto]) and counts as an edit; on a draft it is a change under the draft's
/// lock ([dev.torg.offers.draft.DraftPhotos]). An added photo is PENDING; the request for its preparation, or for
/// its removal, is appended to the outbox in the same transaction ([dev.torg.offers.store.PhotoPartStore]). An
/// uploaded file is stored before that transaction and deleted if the photo is refused.
///
/// Module `photos` prepares the photo and answers on [dev.torg.photos.PhotoTopics#ANSWERS].
/// [PhotoAnswersConsumer] applies the answer: the photo becomes READY with the addresses of its sizes, or FAILED
/// with a reason ([dev.torg.offers.lifecycle.ApplyPhotoAnswer]). Answers arrive at least once; one that is older
/// than the last applied answer, or is about a photo that no longer exists, is dropped. So a draft that is
/// published or taken over requests its pending photos again, under its new id, and answers need not be forwarded.
@NullMarked
package dev.torg.offers.photo;

import org.jspecify.annotations.NullMarked;
