/// Who may be notified of what: the pure rules of the module
/// ([AlertEligibility][dev.torg.alerts.eligibility.AlertEligibility]).
@NullMarked
package dev.torg.alerts.eligibility;

import org.jspecify.annotations.NullMarked;
