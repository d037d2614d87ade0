/// The servers Torg brings along when none are given: PostgreSQL and Kafka, each in its own data
/// directory, on loopback only, and as durable as given ones: what was acknowledged survives a
/// power cut.
@NullMarked
package dev.torg.embedded;

import org.jspecify.annotations.NullMarked;
