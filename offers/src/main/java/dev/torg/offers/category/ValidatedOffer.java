package dev.torg.offers.category;

import dev.torg.api.v1.Offer;

/// Content that keeps all rules, and the category it goes to.
public record ValidatedOffer(Offer content, CategoryNode category) {}
