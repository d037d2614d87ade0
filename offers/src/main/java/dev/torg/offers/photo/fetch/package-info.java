/// Fetches what somebody else's address leads to, without being led into our own network.
///
/// Every name is resolved here and every address it resolves to must be of the public network
/// ([PublicAddresses]); the connection then goes to just those addresses, so a name that answers
/// something else a moment later gains nothing. Redirects are followed by hand, at most five, each as
/// carefully as the first address. Neither system proxies nor cookies nor passwords are used. Size and
/// time are bounded, whatever the other side does.
@NullMarked
package dev.torg.offers.photo.fetch;

import org.jspecify.annotations.NullMarked;
