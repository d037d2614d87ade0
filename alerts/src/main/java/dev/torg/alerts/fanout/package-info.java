/// Large audiences: resumable fan-outs that are sent page by page in the background.
@NullMarked
package dev.torg.alerts.fanout;

import org.jspecify.annotations.NullMarked;
