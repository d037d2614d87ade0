package dev.torg.promotions;

import dev.torg.platform.Money;

/// A payment that exists at the provider.
///
/// @param url where a person pays
public record CreatedPayment(PaymentId id, String url, Money total) {}
