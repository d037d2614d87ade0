/// Citus for tests: a real cluster ([CitusCluster], named by `TORG_TEST_DB`) and a fake on plain PostgreSQL that refuses
/// what a cluster refuses ([FakeCitus]).
@NullMarked
package dev.torg.testkit.citus;

import org.jspecify.annotations.NullMarked;
