/// `torg bench notifications`: a campaign into the bells of a real server in a separate process, compared with a plain
/// `COPY` of the same rows and with one transaction per recipient; and reading a bell with many entries.
@NullMarked
package dev.torg.bench.notifications;

import org.jspecify.annotations.NullMarked;
