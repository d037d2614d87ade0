/// `torg bench notifications`: a campaign into the bells of a real server in a separate process, compared with a plain
/// `COPY` of the same rows and with one transaction per recipient; reading a bell with many entries; individual
/// notifications through gRPC, compared with a plain service; and pushes from the queue to a local Firebase.
@NullMarked
package dev.torg.bench.notifications;

import org.jspecify.annotations.NullMarked;
