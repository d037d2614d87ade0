/// The sandbox: a payment provider without money. A person pays or declines on a page
/// ([SandboxCheckouts][dev.torg.promotions.SandboxCheckouts]); the change and its webhooks commit
/// together, and a job makes the calls, each repeated until it is accepted. It can call more than once, late and in any
/// order, as real providers do.
@NullMarked
package dev.torg.promotions.provider.sandbox;

import org.jspecify.annotations.NullMarked;
