/// What the integration tests of every module use: one real PostgreSQL and one real Kafka for the whole JVM,
/// started when first needed, and a fresh database for each test class.
///
/// `TORG_TEST_DB` and `TORG_TEST_KAFKA` name external servers instead. This module does not depend on the
/// platform, so that the platform's own tests can use it.
@NullMarked
package dev.torg.testkit;

import org.jspecify.annotations.NullMarked;
