/// The lifecycle of an offer, without any I/O: the allowed status transitions, and the effect of each
/// command.
///
/// A command is decided under the lock of the offer's main row, from its current state, and returns the new
/// state and further effects. Several commands on one offer in a batch are decided in sequence. Everything
/// derived from the difference between the states (version, presets, counts, price history, event) is
/// computed by the writer, once for all commands.
@NullMarked
package dev.torg.offers.lifecycle;

import org.jspecify.annotations.NullMarked;
