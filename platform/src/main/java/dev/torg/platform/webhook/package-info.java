/// Signatures of webhooks, as Standard Webhooks defines them.
@NullMarked
package dev.torg.platform.webhook;

import org.jspecify.annotations.NullMarked;
