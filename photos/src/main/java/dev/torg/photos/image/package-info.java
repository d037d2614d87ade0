/// Turns an untrusted file into the three pictures of a photo.
///
/// The format is detected from the bytes, never from a name or a content type. Before anything is
/// decoded the headers are read by this package ([ImageHeader]), which determines the size of the
/// image and whether it is complete, and refuses images that are only expensive: beyond 50 megapixels
/// (25 where a decoder needs the whole image at once: progressive JPEG and WebP), animations, JPEGs of
/// hundreds of scans. Compressed texts and profiles in a PNG, which may inflate to any size, are not
/// read.
///
/// Large images are decoded at a half or a third of their size, so that no decoded image is above 16
/// megapixels, and memory is reserved from a common budget first ([MakeSizes]). Pictures contain
/// pixels only: no EXIF, no location, no camera; the camera's orientation is applied.
@NullMarked
package dev.torg.photos.image;

import org.jspecify.annotations.NullMarked;
