package dev.torg.promotions.payment;

import dev.torg.platform.Home;

/// A stored webhook. It is in the home of its payment or, if it names none, of its reference.
record WebhookKey(Home home, String provider, String eventId) {}
