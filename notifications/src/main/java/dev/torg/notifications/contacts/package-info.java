/// The addresses of people for mail, SMS and webhooks.
///
/// [ContactService][dev.torg.notifications.contacts.ContactService] sets an address, sends a code or a signed call, and
/// verifies it; quotas keep that from being used to flood others.
/// [ContactTargets][dev.torg.notifications.contacts.ContactTargets] finds the verified addresses.
@NullMarked
package dev.torg.notifications.contacts;

import org.jspecify.annotations.NullMarked;
