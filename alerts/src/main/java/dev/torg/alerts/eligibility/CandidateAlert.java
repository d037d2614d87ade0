package dev.torg.alerts.eligibility;

import dev.torg.alerts.event.Alert;
import dev.torg.api.v1.Offer;

/// An alert, and its offer as read just before delivery.
public record CandidateAlert(Alert alert, Offer offer) {}
