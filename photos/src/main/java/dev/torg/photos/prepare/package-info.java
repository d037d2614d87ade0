/// Handles a request for a photo up to its answer.
///
/// [PhotoRequestsConsumer] handles the requests of a batch concurrently. If the photo already has an
/// outcome, from an interrupted delivery or a request of another offer, it only sends the answer again.
/// Otherwise [PhotoProcessor] fetches the photo, makes its sizes and stores them; then [PhotoOutcomeWriter]
/// writes the outcome and the answer in one transaction, in the home of the photo's id.
///
/// A request that fails for a transient reason (an address that times out, an unavailable blob store) is
/// deferred in `photo_retry`, so that it does not block later ones; [RetryPhotosJob] sends it again when it
/// is due. Only an unreachable address counts against the maximum number of attempts; an unavailable blob
/// store does not.
@NullMarked
package dev.torg.photos.prepare;

import org.jspecify.annotations.NullMarked;
