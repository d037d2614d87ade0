package dev.torg.testkit.citus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What decides where Citus runs a statement: its distributed tables, and the homes that each of them is restricted to.
/// It understands the SQL that Torg is written in, not all of PostgreSQL's.
final class SqlStatement {
  private static final Set<String> VERBS = Set.of("select", "insert", "update", "delete", "with");
  private static final Set<String> SET_OPERATIONS = Set.of("union", "intersect", "except");
  private static final Set<String> BEFORE_TABLE = Set.of("from", "join", "using", "update", "into");
  private static final Set<String> AFTER_FROM_LIST =
      Set.of(
          "where", "order", "group", "limit", "returning", "on", "set", "for", "having", "offset");
  private static final Set<String> NO_ALIAS =
      Set.of(
          "where",
          "order",
          "group",
          "limit",
          "returning",
          "on",
          "set",
          "for",
          "having",
          "join",
          "left",
          "right",
          "inner",
          "cross",
          "full",
          "using",
          "with",
          "values",
          "select",
          "offset",
          "lateral",
          "union",
          "do",
          "as",
          "default",
          "overriding",
          "natural",
          "tablesample");
  private static final Set<String> UNSTABLE =
      Set.of("now", "clock_timestamp", "current_timestamp", "interval", "statement_timestamp");
  private static final Set<String> LOCK_STRENGTHS = Set.of("update", "share", "no", "key");

  /// A restriction of a table's home: to a parameter, which may be an array, or to a number.
  record Restriction(int parameter, int number, boolean isEquality) {}

  /// A table or function in a FROM list, a target of a change, or a subquery.
  record Source(String table, String alias, int scope, boolean isFunction) {}

  private final Set<String> distributed;
  private final List<Source> sources = new ArrayList<>();
  private final Map<Source, List<Restriction>> restrictions = new HashMap<>();

  /// Aliases whose homes are equal, by scope and name.
  private final Map<String, String> equalHomes = new HashMap<>();

  private final List<Integer> parents = new ArrayList<>();
  private final Set<Integer> correlated = new HashSet<>();
  private String verb = "";
  private String target = "";
  private boolean isInsertSelect;
  private boolean locks;
  private boolean changesInCte;
  private boolean parameterInDoUpdate;
  private boolean unstableInDoUpdate;
  private boolean unstableOfColumnsInUpdate;
  private boolean updatesHome;
  private final List<Restriction> inserted = new ArrayList<>();

  SqlStatement(String sql, Set<String> distributed) {
    this.distributed = distributed;
    statement(SqlToken.parse(sql));
  }

  String verb() {
    return verb;
  }

  /// The distributed table that is changed, or empty.
  String target() {
    return target;
  }

  boolean isInsertSelect() {
    return isInsertSelect;
  }

  boolean locks() {
    return locks;
  }

  boolean changesInCte() {
    return changesInCte;
  }

  boolean hasParameterInDoUpdate() {
    return parameterInDoUpdate;
  }

  boolean hasUnstableFunctionInDoUpdate() {
    return unstableInDoUpdate;
  }

  boolean hasUnstableFunctionOfColumnsInUpdate() {
    return unstableOfColumnsInUpdate;
  }

  boolean updatesHome() {
    return updatesHome;
  }

  /// The homes of the rows of `INSERT … VALUES`.
  List<Restriction> insertedHomes() {
    return inserted;
  }

  /// The distributed tables that are read, locked, updated or deleted from.
  List<Source> tables() {
    return sources.stream().filter(source -> distributed.contains(source.table())).toList();
  }

  /// Its own restrictions, and equality with a value that equal homes pass on.
  List<Restriction> restrictions(Source source) {
    List<Restriction> own = new ArrayList<>(restrictions.getOrDefault(source, List.of()));
    if (own.isEmpty()) {
      for (Source other : tables()) {
        if (find(key(other)).equals(find(key(source)))) {
          restrictions.getOrDefault(other, List.of()).stream()
              .filter(Restriction::isEquality)
              .forEach(own::add);
        }
      }
    }
    return own;
  }

  /// Whether the distributed tables of each query are joined on their homes.
  boolean joinsOnHome() {
    Map<Integer, Set<String>> homes = new HashMap<>();
    for (Source source : tables()) {
      homes.computeIfAbsent(source.scope(), _ -> new HashSet<>()).add(find(key(source)));
    }
    return homes.values().stream().allMatch(classes -> classes.size() == 1);
  }

  /// Whether a subquery refers to a function in the FROM list of the query around it.
  boolean hasSubqueryOverFunction() {
    return tables().stream().anyMatch(source -> correlated.contains(source.scope()));
  }

  private void statement(List<SqlToken> tokens) {
    List<SqlToken> body = withoutOnConflict(tokens);
    int start = 0;
    if (!body.isEmpty() && body.getFirst().is("with")) {
      start = commonTables(body);
    }
    body = body.subList(start, body.size());
    if (body.isEmpty()) {
      return;
    }
    verb = body.getFirst().text();
    if (verb.equals("insert")) {
      insert(body);
    } else {
      query(body, newScope(-1));
    }
  }

  /// Returns the position of the statement itself.
  private int commonTables(List<SqlToken> tokens) {
    int i = 1;
    while (i < tokens.size() && !isVerb(tokens.get(i))) {
      SqlToken token = tokens.get(i);
      if (token.isGroup() && !token.group().isEmpty() && isVerb(token.group().getFirst())) {
        changesInCte |= !token.group().getFirst().is("select");
        query(token.group(), newScope(-1));
      }
      i++;
    }
    return i;
  }

  private void insert(List<SqlToken> tokens) {
    String table = tokens.get(2).text();
    target = distributed.contains(table) ? table : "";
    int i = 3;
    while (i < tokens.size() && !tokens.get(i).isGroup() && !isVerb(tokens.get(i))) {
      i++;
    }
    int home = i < tokens.size() && tokens.get(i).isGroup() ? homeColumn(tokens.get(i)) : 0;
    List<SqlToken> source = tokens.subList(Math.min(i + 1, tokens.size()), tokens.size());
    if (i < tokens.size() && isVerb(tokens.get(i))) {
      source = tokens.subList(i, tokens.size());
    }
    if (!source.isEmpty() && source.getFirst().is("values")) {
      for (SqlToken row : source) {
        if (row.isGroup()) {
          insertedRow(row.group(), home);
        }
      }
    } else {
      isInsertSelect = true;
      query(source, newScope(-1));
    }
  }

  private static int homeColumn(SqlToken columns) {
    int position = 0;
    for (SqlToken token : columns.group()) {
      if (token.is("home")) {
        return position;
      }
      position += token.is(",") ? 1 : 0;
    }
    return -1;
  }

  private void insertedRow(List<SqlToken> row, int home) {
    int position = 0;
    for (SqlToken token : row) {
      if (token.is(",")) {
        position++;
      } else if (position == home && (token.isParameter() || isNumber(token))) {
        inserted.add(restriction(token, true));
      }
    }
  }

  private List<SqlToken> withoutOnConflict(List<SqlToken> tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.get(i).is("on") && tokens.get(i + 1).is("conflict")) {
        for (SqlToken token : flat(tokens.subList(i, tokens.size()))) {
          parameterInDoUpdate |= token.isParameter();
          unstableInDoUpdate |= UNSTABLE.contains(token.text());
        }
        return tokens.subList(0, i);
      }
    }
    return tokens;
  }

  private int newScope(int parent) {
    parents.add(parent);
    return parents.size() - 1;
  }

  private void query(List<SqlToken> tokens, int scope) {
    List<SqlToken> part = new ArrayList<>();
    int current = scope;
    for (SqlToken token : tokens) {
      if (SET_OPERATIONS.contains(token.text())) {
        simpleQuery(part, current);
        part = new ArrayList<>();
        current = newScope(parents.get(scope));
      } else {
        part.add(token);
      }
    }
    simpleQuery(part, current);
  }

  private void simpleQuery(List<SqlToken> tokens, int scope) {
    if (tokens.isEmpty()) {
      return;
    }
    String first = tokens.getFirst().text();
    if (first.equals("update") || first.equals("delete")) {
      String table = tokens.get(first.equals("update") ? 1 : 2).text();
      target = distributed.contains(table) ? table : target;
      verb = verb.isEmpty() ? first : verb;
    }
    if (first.equals("update")) {
      assignments(tokens);
    }
    fromLists(tokens, scope);
    lockClause(tokens);
    conditions(tokens, scope);
    subqueries(tokens, scope);
  }

  private void assignments(List<SqlToken> tokens) {
    int set = indexOf(tokens, "set");
    int end = set;
    while (end < tokens.size() && !tokens.get(end).is("from") && !tokens.get(end).is("where")) {
      end++;
    }
    List<SqlToken> all = flat(tokens.subList(set, end));
    boolean isUnstable = all.stream().anyMatch(token -> UNSTABLE.contains(token.text()));
    boolean hasColumns = all.stream().anyMatch(token -> token.is("."));
    unstableOfColumnsInUpdate |= isUnstable && hasColumns;
    updatesHome |= set + 1 < end && tokens.get(set + 1).is("home");
  }

  private void fromLists(List<SqlToken> tokens, int scope) {
    boolean inFrom = false;
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      boolean begins = BEFORE_TABLE.contains(token.text()) && !isPartOfLock(tokens, i);
      if (token.is("from") || token.is("using") && tokens.getFirst().is("delete")) {
        inFrom = true;
      } else if (AFTER_FROM_LIST.contains(token.text())) {
        inFrom = false;
      }
      if (begins || inFrom && token.is(",")) {
        source(tokens, i + 1, scope);
      }
    }
  }

  private static boolean isPartOfLock(List<SqlToken> tokens, int i) {
    return tokens.get(i).is("update")
        && i > 0
        && (tokens.get(i - 1).is("for")
            || tokens.get(i - 1).is("key")
            || tokens.get(i - 1).is("do"));
  }

  private void source(List<SqlToken> tokens, int at, int scope) {
    int i = at;
    while (i < tokens.size() && (tokens.get(i).is("lateral") || tokens.get(i).is("only"))) {
      i++;
    }
    if (i >= tokens.size() || !tokens.get(i).isWord()) {
      return;
    }
    String table = tokens.get(i).text();
    boolean isFunction = i + 1 < tokens.size() && tokens.get(i + 1).isGroup();
    int next = isFunction ? i + 2 : i + 1;
    while (next < tokens.size()
        && (tokens.get(next).is("as")
            || tokens.get(next).is("with")
            || tokens.get(next).is("ordinality"))) {
      next++;
    }
    boolean hasAlias =
        next < tokens.size()
            && tokens.get(next).isWord()
            && !NO_ALIAS.contains(tokens.get(next).text());
    String alias = hasAlias ? tokens.get(next).text() : table;
    sources.add(new Source(table, alias, scope, isFunction));
  }

  private void lockClause(List<SqlToken> tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      locks |= tokens.get(i).is("for") && LOCK_STRENGTHS.contains(tokens.get(i + 1).text());
    }
  }

  private void conditions(List<SqlToken> tokens, int scope) {
    List<SqlToken> all = flat(tokens);
    for (int i = 0; i + 2 < all.size(); i++) {
      if (all.get(i).is("home") && all.get(i + 1).is("=")) {
        condition(all, i, scope);
      }
    }
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.get(i).is("using")
          && tokens.get(i + 1).isGroup()
          && tokens.get(i + 1).group().stream().anyMatch(token -> token.is("home"))) {
        joinAll(scope);
      }
    }
  }

  private void condition(List<SqlToken> all, int home, int scope) {
    boolean isQualified = home > 1 && all.get(home - 1).is(".");
    String alias = isQualified ? all.get(home - 2).text() : "";
    SqlToken value = all.get(home + 2);
    if (value.is("any") && home + 4 < all.size()) {
      restrict(alias, scope, restriction(all.get(home + 4), false));
    } else if (value.isParameter() || isNumber(value)) {
      restrict(alias, scope, restriction(value, true));
    } else if (home + 4 < all.size() && all.get(home + 3).is(".") && all.get(home + 4).is("home")) {
      union(resolve(alias, scope), resolve(value.text(), scope));
    }
  }

  private static Restriction restriction(SqlToken value, boolean isEquality) {
    return new Restriction(
        value.parameter(), value.isParameter() ? -1 : Integer.parseInt(value.text()), isEquality);
  }

  private void restrict(String alias, int scope, Restriction restriction) {
    for (Source source : sources) {
      boolean isMeant =
          alias.isEmpty() ? source.scope() == scope : key(source).equals(resolve(alias, scope));
      if (isMeant && !source.isFunction()) {
        restrictions.computeIfAbsent(source, _ -> new ArrayList<>()).add(restriction);
      }
    }
  }

  private void joinAll(int scope) {
    List<Source> joined = sources.stream().filter(source -> source.scope() == scope).toList();
    joined.forEach(source -> union(key(joined.getFirst()), key(source)));
  }

  /// The key of the alias in this scope or in the nearest one around it.
  private String resolve(String alias, int scope) {
    for (int i = scope; i >= 0; i = parents.get(i)) {
      int current = i;
      for (Source source : sources) {
        if (source.scope() == current && source.alias().equals(alias)) {
          return key(source);
        }
      }
    }
    return scope + "." + alias;
  }

  private static String key(Source source) {
    return source.scope() + "." + source.alias();
  }

  private String find(String key) {
    String root = key;
    while (equalHomes.containsKey(root)) {
      root = equalHomes.get(root);
    }
    return root;
  }

  private void union(String a, String b) {
    String first = find(a);
    String second = find(b);
    if (!first.equals(second)) {
      equalHomes.put(first, second);
    }
  }

  private void subqueries(List<SqlToken> tokens, int scope) {
    for (int i = 0; i < tokens.size(); i++) {
      SqlToken token = tokens.get(i);
      if (!token.isGroup() || token.group().isEmpty()) {
        continue;
      }
      if (isVerb(token.group().getFirst())) {
        int inner = newScope(scope);
        query(token.group(), inner);
        derivedTable(tokens, i + 1, scope, inner);
        if (refersToFunction(token.group(), scope)) {
          correlated.add(inner);
        }
      } else {
        subqueries(token.group(), scope);
      }
    }
  }

  /// The home of a subquery with an alias is that of its tables.
  private void derivedTable(List<SqlToken> tokens, int at, int scope, int inner) {
    int next = at < tokens.size() && tokens.get(at).is("as") ? at + 1 : at;
    if (next >= tokens.size()
        || !tokens.get(next).isWord()
        || NO_ALIAS.contains(tokens.get(next).text())) {
      return;
    }
    String alias = scope + "." + tokens.get(next).text();
    tables().stream()
        .filter(table -> table.scope() >= inner)
        .forEach(table -> union(alias, key(table)));
  }

  private boolean refersToFunction(List<SqlToken> subquery, int scope) {
    List<SqlToken> all = flat(subquery);
    for (int i = 0; i + 1 < all.size(); i++) {
      String word = all.get(i).text();
      if (all.get(i + 1).is(".")
          && sources.stream()
              .anyMatch(s -> s.isFunction() && s.scope() == scope && s.alias().equals(word))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isVerb(SqlToken token) {
    return VERBS.contains(token.text());
  }

  private static boolean isNumber(SqlToken token) {
    return Character.isDigit(token.text().charAt(0));
  }

  private static int indexOf(List<SqlToken> tokens, String word) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).is(word)) {
        return i;
      }
    }
    return tokens.size();
  }

  /// The tokens with those of groups, except for subqueries.
  private static List<SqlToken> flat(List<SqlToken> tokens) {
    List<SqlToken> all = new ArrayList<>();
    for (SqlToken token : tokens) {
      boolean isSubquery =
          token.isGroup() && !token.group().isEmpty() && isVerb(token.group().getFirst());
      all.add(token);
      if (!isSubquery) {
        all.addAll(flat(token.group()));
      }
    }
    return all;
  }
}
