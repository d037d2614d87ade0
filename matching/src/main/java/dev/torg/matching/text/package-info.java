/// Words as people mean them, the same for a saved search, an offer and the search module.
///
/// [Scanner] cuts text into runs of letters and numbers: case, `ё`, accents, punctuation and stress marks do not
/// matter; a hyphen and the border between letters and digits cut (`100km` is `100 km`, `s-line` is `s line`), a
/// decimal comma is a point, a thousands comma vanishes. [Stems] brings a run to its stem with Lucene's Snowball
/// stemmers, Russian for Cyrillic and English for Latin, since one title mixes both. [TextAnalysis] puts the two together behind a
/// cache of seen words; [OfferAnalyzer] shows the same as a Lucene analyzer.
@NullMarked
package dev.torg.matching.text;

import org.jspecify.annotations.NullMarked;
