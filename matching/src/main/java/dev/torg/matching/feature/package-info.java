/// The atoms of matching. A [Feature] is a property that an offer can have and a query can require: a word, a
/// category, a region, an attribute's value. Both sides are expressed in features, so comparing them is
/// comparing hashes and texts.
@NullMarked
package dev.torg.matching.feature;

import org.jspecify.annotations.NullMarked;
