package dev.torg.promotions.quote;

import dev.torg.platform.Money;
import java.time.Duration;

/// A service of a quote.
public record QuoteLine(String service, Money price, Duration duration) {}
