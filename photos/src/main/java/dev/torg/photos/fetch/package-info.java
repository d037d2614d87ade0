/// Fetches photos from addresses given by sellers, without access to the operator's internal network.
///
/// Every name is resolved here and every address it resolves to must belong to the public network
/// ([PublicAddresses][dev.torg.platform.net.PublicAddresses]); the connection then uses exactly those addresses, so changing the DNS record in
/// between has no effect. Redirects are followed by this package, at most five, and each is checked like
/// the first address. System proxies, cookies and credentials are not used. Size and time are bounded,
/// whatever the server does.
@NullMarked
package dev.torg.photos.fetch;

import org.jspecify.annotations.NullMarked;
