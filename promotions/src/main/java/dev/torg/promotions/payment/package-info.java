/// Payments: created, reported by the provider, delivered or returned.
///
/// A payment is created here before it is created at the provider
/// ([PaymentService][dev.torg.promotions.payment.PaymentService]), so every webhook finds it. What the provider states,
/// by a webhook or when it is asked, is a [PaymentReport][dev.torg.promotions.payment.PaymentReport];
/// [PaymentProcessor][dev.torg.promotions.payment.PaymentProcessor] applies reports in batches: it locks the payments,
/// changes their states ([PaymentInTransaction][dev.torg.promotions.payment.PaymentInTransaction]), lets the purpose
/// deliver what was paid, and writes everything with the audit rows and the payer's notifications in one transaction.
///
/// A webhook is stored before it is acknowledged ([WebhookService][dev.torg.promotions.payment.WebhookService]) and
/// processed at once by the process that received it, or by a job. Refunds are decided in transactions and made by a job.
@NullMarked
package dev.torg.promotions.payment;

import org.jspecify.annotations.NullMarked;
