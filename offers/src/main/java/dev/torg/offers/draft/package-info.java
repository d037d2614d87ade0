/// Offers before publication. A draft may be incomplete and may belong to an anonymous user; an owner has
/// at most one current draft. A draft is stored in its owner's home, so at login it may have to move to
/// another home. This is a takeover: a process with its own row and idempotent steps.
@NullMarked
package dev.torg.offers.draft;

import org.jspecify.annotations.NullMarked;
