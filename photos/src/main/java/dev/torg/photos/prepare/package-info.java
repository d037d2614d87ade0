/// From a request to its answer.
///
/// [PhotoRequestsConsumer] handles the requests of a batch concurrently. If the photo has an outcome, from
/// a delivery that was interrupted or a request of another offer, it only sends the answer again.
/// Otherwise [PhotoProcessor] fetches the photo, makes its sizes and stores them; then
/// [PhotoOutcomeWriter] writes the outcome and the answer in one transaction, in the home of the
/// photo's id.
///
/// A request that fails for a transient reason (an address that times out, a blob store that is
/// unavailable) is deferred in `photo_retry`, so that it does not block those behind it; [RetryPhotosJob]
/// sends it again when it is due. Only an unreachable address uses up the attempts of a request; a blob
/// store that is unavailable does not.
@NullMarked
package dev.torg.photos.prepare;

import org.jspecify.annotations.NullMarked;
