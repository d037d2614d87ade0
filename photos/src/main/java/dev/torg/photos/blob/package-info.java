/// Stores the bytes of photos: in a directory, or in a bucket of any S3-compatible store.
///
/// `uploads/<photo>` holds an uploaded file until it is prepared; `sizes/<content>/<size>` holds the
/// pictures, under the SHA-256 of the original, so that the same original is stored once. A blob is
/// either complete or absent.
@NullMarked
package dev.torg.photos.blob;

import org.jspecify.annotations.NullMarked;
