/// Campaigns: one notification to an audience of millions.
@NullMarked
package dev.torg.notifications.campaign;

import org.jspecify.annotations.NullMarked;
