package dev.torg.offers.category;

import dev.torg.api.v1.Offer;
import dev.torg.offers.Category;

/// Content that keeps all rules, and the category it goes to.
public record CheckedOffer(Offer content, Category category) {}
