/// An offer's life, without any I/O: which status may follow which, and what each command makes of
/// an offer.
///
/// A command is decided under the lock of the offer's main row, from the offer as it is, and answers
/// with the offer as it shall be and the effects that go with it. Several commands of one offer in
/// one batch are decided one after the other. Whatever follows from the difference between before
/// and after (version, presets, counts, price history, event) is nobody's business here but
/// computed once for all commands by the writer.
@NullMarked
package dev.torg.offers.lifecycle;

import org.jspecify.annotations.NullMarked;
