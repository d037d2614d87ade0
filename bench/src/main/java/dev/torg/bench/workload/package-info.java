/// A generated classifieds site: the same seed gives the same offers and searches on every machine.
///
/// Calibrated to ads: 12 sections of 12 categories, 60 brands a category with 30 models each, all
/// zipf; a country of areas and cities, zipf by size; prices log-normal around the category's
/// level; years, mileages, sizes, colours, conditions; titles of brand, model and a few words,
/// descriptions that bring an offer to 30 to 200 words, 60 of 100 words from the common language
/// and 40 from the category's own, in Cyrillic and Latin, with Russian endings so that stemming has
/// an effect. [Mix] determines how searches are drawn.
///
/// **Scale.** A site with ten times the searches is a larger country with a longer tail: cities,
/// brands and rare words grow with the number of searches, so that the number of matches per offer
/// stays about the same.
///
/// The records here do not depend on Torg's types: any benchmark may convert them to what it needs.
@NullMarked
package dev.torg.bench.workload;

import org.jspecify.annotations.NullMarked;
