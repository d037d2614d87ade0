package dev.torg.testkit.citus;

import dev.torg.testkit.citus.SqlStatement.Restriction;
import dev.torg.testkit.citus.SqlStatement.Source;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/// Refuses what a Citus cluster refuses, with its SQLSTATE and message, and what Torg never does there although Citus
/// allows it: writes to several shards, which take a two-phase commit. docs/decisions/citus.md lists the rules.
final class CitusRules {
  private static final String NOT_SUPPORTED = "0A000";
  private static final String INDETERMINATE_DATATYPE = "42P18";

  /// Filled once, by the migration.
  private static final String HOMES = "homes";

  /// The homes that the parameters of an execution restrict a table to.
  interface Parameters extends IntFunction<Collection<Integer>> {}

  private CitusRules() {}

  /// Returns the shard that the statement writes or locks, if it does.
  static Optional<Integer> check(SqlStatement statement, Parameters parameters)
      throws SQLException {
    checkText(statement);
    boolean isWrite = !statement.target().isEmpty();
    if (statement.target().equals(HOMES)) {
      return Optional.empty();
    }
    if (statement.verb().equals("insert") && isWrite) {
      return Optional.of(checkInsert(statement, parameters));
    }
    if (statement.tables().isEmpty()) {
      return Optional.empty();
    }
    Set<Integer> shards = shards(statement, parameters);
    if (isWrite || statement.locks()) {
      return Optional.of(requireOneShard(statement, shards));
    }
    if (shards.size() != 1) {
      checkManyShards(statement);
    }
    return Optional.empty();
  }

  private static void checkText(SqlStatement statement) throws SQLException {
    if (statement.target().isEmpty()) {
      return;
    }
    if (statement.hasUnstableFunctionInDoUpdate()) {
      throw refused(
          "functions used in the DO UPDATE SET clause of INSERTs on distributed tables must be"
              + " marked IMMUTABLE");
    }
    if (statement.hasUnstableFunctionOfColumnsInUpdate()) {
      throw refused(
          "STABLE functions used in UPDATE queries cannot be called with column references");
    }
    if (statement.updatesHome()) {
      throw refused("modifying the partition value of rows is not allowed");
    }
    if (statement.changesInCte() && statement.isInsertSelect()) {
      throw refused(
          "rows of a changing WITH query are copied by the coordinator: two-phase commit");
    }
  }

  private static int checkInsert(SqlStatement statement, Parameters parameters)
      throws SQLException {
    if (!statement.isInsertSelect()) {
      return requireOneShard(statement, shardsOf(statement.insertedHomes(), parameters));
    }
    if (statement.tables().isEmpty()) {
      if (statement.hasParameterInDoUpdate()) {
        throw new SQLException(
            "could not determine data type of parameter $1", INDETERMINATE_DATATYPE);
      }
      throw refused(
          "rows that no distributed table takes part in are copied by the coordinator: two-phase"
              + " commit, and an update count of the rows selected");
    }
    return requireOneShard(statement, shards(statement, parameters));
  }

  private static int requireOneShard(SqlStatement statement, Set<Integer> shards)
      throws SQLException {
    if (shards.size() == 1) {
      return shards.iterator().next();
    }
    if (statement.locks()) {
      throw refused("could not run distributed query with FOR UPDATE/SHARE commands");
    }
    throw refused(
        "a change of %s shards of %s in one statement: two-phase commit"
            .formatted(shards.isEmpty() ? "all" : shards.size(), statement.target()));
  }

  private static void checkManyShards(SqlStatement statement) throws SQLException {
    if (statement.hasSubqueryOverFunction()) {
      throw refused(
          "correlated subqueries are not supported when the FROM clause contains a set returning"
              + " function");
    }
    if (!statement.joinsOnHome()) {
      throw refused(
          "complex joins are only supported when all distributed tables are co-located and joined"
              + " on their distribution columns");
    }
  }

  /// The shards of all tables; empty if one of them is not restricted.
  private static Set<Integer> shards(SqlStatement statement, Parameters parameters)
      throws SQLException {
    Set<Integer> shards = new HashSet<>();
    for (Source table : statement.tables()) {
      Set<Integer> own = shardsOf(statement.restrictions(table), parameters);
      if (own.isEmpty()) {
        return Set.of();
      }
      shards.addAll(own);
    }
    return shards;
  }

  private static Set<Integer> shardsOf(List<Restriction> restrictions, Parameters parameters)
      throws SQLException {
    Set<Integer> shards = new HashSet<>();
    for (Restriction restriction : restrictions) {
      Collection<Integer> homes =
          restriction.parameter() > 0
              ? parameters.apply(restriction.parameter())
              : List.of(restriction.number());
      if (homes.isEmpty()) {
        throw refused("an empty list of homes: every shard would be queried");
      }
      homes.forEach(home -> shards.add(FakeCitus.shard(home)));
    }
    return shards;
  }

  private static SQLException refused(String message) {
    return new SQLException(message, NOT_SUPPORTED);
  }
}
