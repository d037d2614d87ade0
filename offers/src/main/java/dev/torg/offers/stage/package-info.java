/// State that outside processes keep on an offer: opaque, each with a version of its own, written
/// without touching the offer's main row.
@NullMarked
package dev.torg.offers.stage;

import org.jspecify.annotations.NullMarked;
