/// Where the bytes of photos lie: a directory, or a bucket of any S3-compatible store.
///
/// `uploads/<photo>` is what people sent, until it is prepared; `sizes/<content>/<size>` what was made
/// of it, under the SHA-256 of the original, so that a picture that comes twice is stored once. What is
/// written is whole or not there at all.
@NullMarked
package dev.torg.offers.photo.blob;

import org.jspecify.annotations.NullMarked;
