/// Reverse search: which of millions of saved searches does this offer satisfy?
///
/// A [Query] is a saved search in canonical form. Its clauses are joined by *and*: a category (with all below
/// it), any of some regions (each with all below it), a price range in one currency, ranges of numeric
/// attributes, any-of and none-of sets of values, words that must all occur, phrases, excluded words and
/// phrases, a seller, photos. [OfferFeatures] is an offer as the engine sees it.
///
/// **Structure.** `feature` defines the atoms that queries and offers are compared by, `text` analyses words
/// the same way for both, and `engine` holds the queries and matches offers against them. The classes here are
/// immutable and may be shared between threads; they depend on neither `engine` nor on other modules.
///
/// **The canonical form.** Two searches that mean the same have the same text, and so the same [SearchId]: the SHA-1 of
/// that text in UTF-8. It is a sorted multimap, `key=value` pairs joined by `&`, keys and then values in code point order:
///
///     attr.brand-in=bmw&attr.year-from=2015&category=cars&price-currency=EUR&price-to=1500000&region=de/hessen&text=navi
///
/// | key | value |
/// |---|---|
/// | `category` | its id |
/// | `region` | a path; several pairs mean any of them |
/// | `price-currency`, `price-from`, `price-to` | currency and inclusive ends in minor units |
/// | `attr.KEY-from`, `attr.KEY-to` | inclusive ends, plain decimals without trailing zeros |
/// | `attr.KEY-in`, `attr.KEY-not-in` | a value, lower-cased; several pairs mean any (none) of them; a boolean is the value `true` or `false` |
/// | `text`, `text-not` | the stem of a required (excluded) word |
/// | `phrase`, `phrase-not` | the stems of a required (excluded) phrase, with single spaces |
/// | `seller`, `photos` | the seller's id; `true` |
///
/// In a value `%`, `&`, `=` and control characters are written `%XX`. Duplicates are dropped, and so is what
/// has no effect: a region below another required one, a word that a required phrase contains, a phrase inside
/// another, an any-of value that is excluded too, a range without ends. The sort order of results is no part of
/// a search.
@NullMarked
package dev.torg.matching;

import org.jspecify.annotations.NullMarked;
