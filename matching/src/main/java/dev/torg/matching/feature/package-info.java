/// The atoms of matching. A [Feature] is one thing an offer can have and a query can ask for: a word, a category, a
/// region, an attribute's value. Both sides speak in features, so comparing them is comparing hashes and texts.
@NullMarked
package dev.torg.matching.feature;

import org.jspecify.annotations.NullMarked;
