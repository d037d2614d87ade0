/// Connections to addresses that users give, without access to the operator's internal network.
///
/// Every name is resolved by [PublicHostResolver][dev.torg.platform.net.PublicHostResolver], and every address it
/// resolves to must belong to the public network ([PublicAddresses][dev.torg.platform.net.PublicAddresses]) unless the
/// operator named the host. The HTTP client must connect to exactly those addresses, so that changing the DNS record in
/// between has no effect.
@NullMarked
package dev.torg.platform.net;

import org.jspecify.annotations.NullMarked;
