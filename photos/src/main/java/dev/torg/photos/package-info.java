/// Turns the photos of offers and drafts into pictures, and serves them.
///
/// Module `offers` owns the list of photos that an offer or a draft shows. It requests preparation on the
/// topics of [PhotoTopics] and consumes the answers. This module fetches each photo from its address
/// (`fetch`) or reads the uploaded file, decodes it and makes three sizes (`image`), and stores them in a
/// directory or a bucket (`blob`). `prepare` connects these steps: it consumes requests, records the
/// outcome together with the answer, and retries requests that failed for a transient reason.
///
/// The root package is what other modules use. This module does not depend on `offers`; it looks up offers
/// through [PhotoOwnerLookup]. Its tables (`photo`, `photo_content`, `photo_use`, `photo_retry`,
/// `photo_owner_backfill`) are created by the migrations in `db/offers`, which contained them before this
/// module existed; applied migrations are not moved.
@NullMarked
package dev.torg.photos;

import org.jspecify.annotations.NullMarked;
