/// The steps of the login merge that move digests, deduplication rows and the bell.
@NullMarked
package dev.torg.alerts.merge;

import org.jspecify.annotations.NullMarked;
