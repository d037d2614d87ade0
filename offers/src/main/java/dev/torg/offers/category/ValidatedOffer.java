package dev.torg.offers.category;

import dev.torg.api.v1.Offer;

/// Content that conforms to all rules, and its category.
public record ValidatedOffer(Offer content, CategoryNode category) {}
