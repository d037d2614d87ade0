package dev.torg.promotions;

import dev.torg.platform.Money;

/// What a payment must be for to be used.
public record PaymentUse(
    PaymentId id, String payer, String purpose, String reference, Money total) {}
