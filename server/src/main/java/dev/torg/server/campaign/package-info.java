/// Uploads of recipients of campaigns.
@NullMarked
package dev.torg.server.campaign;

import org.jspecify.annotations.NullMarked;
