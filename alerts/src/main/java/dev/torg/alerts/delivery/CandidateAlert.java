package dev.torg.alerts.delivery;

import dev.torg.alerts.event.Alert;
import dev.torg.api.v1.Offer;

/// An alert and its offer as it was read just before.
record CandidateAlert(Alert alert, Offer offer) {}
