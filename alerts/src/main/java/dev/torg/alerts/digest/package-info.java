/// Daily digests: items are collected until the recipient's digest hour and sent as one entry.
@NullMarked
package dev.torg.alerts.digest;

import org.jspecify.annotations.NullMarked;
