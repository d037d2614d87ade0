/// `torg verify abuse`: hostile callers attack a server with 1 GB of heap during ordinary traffic.
/// The server must survive each attack, `/health` must respond during it, and ordinary calls must
/// stay fast.
///
/// An [Attack] runs for a bounded time with a bounded number of connections and threads. Attackers
/// connect from separate loopback addresses (127.0.0.2 and up), because the server limits callers
/// by address.
@NullMarked
package dev.torg.bench.abuse;

import org.jspecify.annotations.NullMarked;
