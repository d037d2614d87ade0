/// The last step: in the recipient's home, in one transaction, decides by the recipient's own rows
/// whether to notify, and writes to the bell or the digest.
@NullMarked
package dev.torg.alerts.delivery;

import org.jspecify.annotations.NullMarked;
