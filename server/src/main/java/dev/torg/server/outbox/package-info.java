/// Shows the development outbox: the mails and SMS that would have been sent.
@NullMarked
package dev.torg.server.outbox;

import org.jspecify.annotations.NullMarked;
