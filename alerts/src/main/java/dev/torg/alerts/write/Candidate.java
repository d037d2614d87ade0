package dev.torg.alerts.write;

import dev.torg.alerts.alert.Alert;
import dev.torg.api.v1.Offer;

/// An alert and its offer as it was read just before.
record Candidate(Alert alert, Offer offer) {}
