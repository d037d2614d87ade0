/// From a request to an answer.
///
/// [PhotoRequestsConsumer] takes requests from the topic, many at once. For each it looks first whether the
/// photo has been dealt with before, by a delivery that was cut off or for another offer; if so, it only
/// answers again. Otherwise it fetches, makes and stores; then what has become of the photo and the
/// answer to `torg.photos` are written in one transaction, in the home of the photo's id.
///
/// Trouble that may pass (an address that times out, a store that is away) puts the request aside in
/// `photo_retry`, so that nothing waits behind it; a job sends it again when its time has come
/// ([RetryPhotosJob]). Only an address uses up its attempts; a store that is away is waited for.
@NullMarked
package dev.torg.offers.photo.prepare;

import org.jspecify.annotations.NullMarked;
