/// The life of an offer, without any I/O: which status may follow which, and what each command does.
///
/// A command is decided under the lock of the offer's main row, from its current state, and returns
/// the new state and further effects. Several commands of one offer in one batch are decided one after
/// the other. Everything that follows from the difference between the states (version, presets,
/// counts, price history, event) is computed by the writer, once for all commands.
@NullMarked
package dev.torg.offers.lifecycle;

import org.jspecify.annotations.NullMarked;
