/// The servers that `torg up` and the tests embed: PostgreSQL as a child process and Kafka in this one.
///
/// Both listen on loopback only and require a random password that is stored with their data, so that other
/// users of the machine have no access. PostgreSQL never runs as root.
///
/// Both store their data in a given directory and are as durable as an external server: what was acknowledged
/// survives `kill -9` and a power failure. The code that starts a server closes it; when this process dies
/// without closing, PostgreSQL shuts down by itself in an orderly way, and the next start on the same directory
/// waits for that.
@NullMarked
package dev.torg.embedded;

import org.jspecify.annotations.NullMarked;
