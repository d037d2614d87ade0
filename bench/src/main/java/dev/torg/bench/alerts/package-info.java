/// `torg bench alerts`, `torg verify alerts` and `torg verify fanout`: from an offer's commit to
/// the bells of all recipients.
///
/// Recipients, their searches and follows are loaded into the tables by `COPY`, with the
/// projections that the topics would have built: a million calls would take longer than everything
/// else. From then on everything is the real path: offers are published through gRPC to `torg up`
/// on embedded, durable servers; the engine loads the searches from the database, then from its
/// snapshot. The expected alerts are computed by brute force, each search against each offer of its
/// category; the actual ones are read from the tables. Times are PostgreSQL's own, from COMMIT to
/// COMMIT (`track_commit_timestamp`).
@NullMarked
package dev.torg.bench.alerts;

import org.jspecify.annotations.NullMarked;
