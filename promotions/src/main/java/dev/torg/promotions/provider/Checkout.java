package dev.torg.promotions.provider;

/// Where a person pays.
///
/// @param providerReference the provider's id of the payment
/// @param paymentUrl the page for the person
public record Checkout(String providerReference, String paymentUrl) {}
