/// The replica of the matching engine: every process of role alerts holds all searches, from a local
/// snapshot or the database, and then from `torg.searches`.
@NullMarked
package dev.torg.alerts.engine;

import org.jspecify.annotations.NullMarked;
