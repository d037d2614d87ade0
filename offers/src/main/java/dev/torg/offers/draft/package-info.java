/// Offers before publication. A draft may be incomplete and may belong to an anonymous person; an
/// owner has at most one that is current. It lives with its owner, so at login it may have to move
/// to another home: a takeover, a process with a row of its own whose every step can be repeated.
@NullMarked
package dev.torg.offers.draft;

import org.jspecify.annotations.NullMarked;
