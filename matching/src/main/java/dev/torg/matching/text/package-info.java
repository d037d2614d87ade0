/// Text analysis, the same for a saved search, an offer and the search module.
///
/// [Scanner] cuts text into runs of letters and numbers: case, `ё`, accents, punctuation and stress marks do not
/// matter; a hyphen and the border between letters and digits cut (`100km` is `100 km`, `s-line` is `s line`), a
/// decimal comma is a point, a thousands comma is dropped. [Stems] reduces a run to its stem with Lucene's
/// Snowball stemmers, Russian for Cyrillic and English for Latin, since one title mixes both. [TextAnalysis]
/// combines the two behind a cache of words; [OfferAnalyzer] offers the same as a Lucene analyzer.
@NullMarked
package dev.torg.matching.text;

import org.jspecify.annotations.NullMarked;
