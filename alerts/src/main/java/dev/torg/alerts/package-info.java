/// From an offer's change to the people who care, exactly once each.
@NullMarked
package dev.torg.alerts;

import org.jspecify.annotations.NullMarked;
