/// From a file that somebody calls a photo to the three pictures that are shown.
///
/// Nothing is believed but the bytes: the format is known by them, never by a name or a content type.
/// Before anything is decoded the headers are read by code of our own ([ImageHeader]), which knows how
/// large the image is, whether it is whole, and refuses what only costs: images beyond 50 megapixels
/// (25 where a decoder needs the whole image at once: progressive JPEG and WebP), animations, JPEGs of
/// hundreds of scans. Compressed texts and profiles in a PNG, which inflate to anything, are not read.
///
/// Large images are decoded at a half or a third of their size, so that no decoded image is above
/// 16 megapixels, and memory is taken from a common budget first ([MakeSizes]). What is written is made
/// of pixels alone: no EXIF, no place, no camera; the camera's orientation is applied.
@NullMarked
package dev.torg.photos.image;

import org.jspecify.annotations.NullMarked;
