package dev.torg.promotions.payment;

import dev.torg.promotions.PaymentId;
import dev.torg.promotions.PaymentStatus;
import java.time.Instant;

/// A change of a payment.
///
/// @param n from 1, without gaps
/// @param cause who or what caused it
record AuditEntry(
    PaymentId payment,
    int n,
    PaymentStatus from,
    PaymentStatus to,
    Instant at,
    String cause,
    String detail) {}
