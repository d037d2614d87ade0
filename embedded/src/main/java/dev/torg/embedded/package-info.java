/// The servers that `torg up` and the tests bring along: PostgreSQL as a child process and Kafka in
/// this one.
///
/// Both listen on loopback only and ask for a random password that is kept beside their data, so that other
/// users of the machine stay outside. PostgreSQL never runs as root.
///
/// Both keep their data in a given directory and are as durable as a given server: what was
/// acknowledged survives `kill -9` and a power cut. Whoever starts a server closes it; when this
/// process dies without closing, PostgreSQL shuts down by itself in an orderly way, and the next
/// start on the same directory waits for that.
@NullMarked
package dev.torg.embedded;

import org.jspecify.annotations.NullMarked;
