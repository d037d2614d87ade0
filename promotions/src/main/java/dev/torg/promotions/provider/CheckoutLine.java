package dev.torg.promotions.provider;

import dev.torg.platform.Money;

/// One thing that is paid for.
public record CheckoutLine(String label, Money amount) {}
