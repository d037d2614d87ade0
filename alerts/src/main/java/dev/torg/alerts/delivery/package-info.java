/// The last step: in the reader's home, in one transaction, decide whether to tell and do it.
@NullMarked
package dev.torg.alerts.delivery;

import org.jspecify.annotations.NullMarked;
