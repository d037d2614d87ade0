/// The texts of notifications, in the languages of their recipients.
@NullMarked
package dev.torg.alerts.text;

import org.jspecify.annotations.NullMarked;
