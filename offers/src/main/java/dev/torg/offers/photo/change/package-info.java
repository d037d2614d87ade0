/// What owners do with photos, and what the answers on `torg.photos` do to offers and drafts.
///
/// Photos of an offer change by commands, under the lock of its main row; those of a draft under the
/// draft's.
@NullMarked
package dev.torg.offers.photo.change;

import org.jspecify.annotations.NullMarked;
