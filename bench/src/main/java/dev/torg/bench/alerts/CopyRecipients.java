package dev.torg.bench.alerts;

import com.google.protobuf.ByteString;
import dev.torg.api.v1.FavoriteSeller;
import dev.torg.api.v1.SavedSearch;
import dev.torg.api.v1.SearchQuery;
import dev.torg.matching.SearchId;
import dev.torg.platform.Home;
import dev.torg.queries.QueryCanonicalizer;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.postgresql.PGConnection;

/// Loads recipients into the tables of favorites with `COPY`: their own rows and the projections,
/// as if they had saved everything a month ago and all events had been handled.
public final class CopyRecipients implements AutoCloseable {
  private static final Duration AGE = Duration.ofDays(30);

  /// Recipients per `COPY`: some megabytes of text.
  private static final int CHUNK = 10_000;

  private static final String TABLES =
      "favorite_owner, favorite, search_subscriber, search, seller_follower";

  private final Connection connection;
  private final String since;
  private final Set<SearchId> copiedSearches = new HashSet<>();
  private final Table owners =
      new Table(
          "favorite_owner (home, offers, searches, sellers, notes, collections, seq, token, owner)");
  private final Table favorites =
      new Table(
          "favorite (home, kind, delivery, size, price_hash, price_version, created_at, owner,"
              + " favorite_id, name, body)");
  private final Table subscribers =
      new Table("search_subscriber (home, delivery, seq, created_at, search_id, owner)");
  private final Table distinct = new Table("search (home, live, seq, since, search_id, query)");
  private final Table followers =
      new Table("seller_follower (home, delivery, seq, created_at, seller, owner)");

  public CopyRecipients(String database, Instant now) throws SQLException {
    connection = DriverManager.getConnection("jdbc:" + database);
    since = now.minus(AGE).toString();
  }

  /// Rows to be copied into a table.
  private static final class Table {
    final String columns;
    final StringBuilder rows = new StringBuilder();

    Table(String columns) {
      this.columns = columns;
    }

    void add(Object... values) {
      for (int i = 0; i < values.length; i++) {
        rows.append(i == 0 ? "" : "\t").append(values[i]);
      }
      rows.append('\n');
    }
  }

  void copy(AlertRecipients recipients) throws SQLException, IOException {
    Supplier<SearchQuery> searches = recipients.drawSearches();
    for (int recipient = 0; recipient < recipients.count(); recipient++) {
      add(recipients, recipient, searches);
      if (recipient % CHUNK == CHUNK - 1) {
        flush();
      }
    }
    flush();
    run("VACUUM (ANALYZE) " + TABLES);
  }

  /// Loads recipients who follow the seller and have saved nothing else; each is named by the name
  /// and a number.
  public void copyFollowers(String name, int count, String seller)
      throws SQLException, IOException {
    List<SteadyOffers.Follow> follows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      follows.add(new SteadyOffers.Follow(name + i, seller));
    }
    copy(follows);
  }

  /// Loads recipients who follow one seller each and have saved nothing else.
  void copy(List<SteadyOffers.Follow> follows) throws SQLException, IOException {
    int copied = 0;
    for (SteadyOffers.Follow follow : follows) {
      owners.add(home(follow.recipient()), 0, 0, 1, 0, 0, 1, 0, follow.recipient());
      addFollow(follow.recipient(), follow.seller());
      if (++copied % CHUNK == 0) {
        flush();
      }
    }
    flush();
    run("VACUUM (ANALYZE) " + TABLES);
  }

  private void add(AlertRecipients recipients, int number, Supplier<SearchQuery> searches) {
    String recipient = AlertRecipients.recipient(number);
    boolean searching = number < recipients.searches();
    boolean following = number < recipients.follows();
    owners.add(home(recipient), 0, searching ? 1 : 0, following ? 1 : 0, 0, 0, 1, 0, recipient);
    if (searching) {
      addSearch(recipient, searches.get());
    }
    if (following) {
      addFollow(recipient, recipients.followed(number));
    }
  }

  private void addSearch(String recipient, SearchQuery query) {
    SearchId id = QueryCanonicalizer.canonical(query).searchId();
    SavedSearch body = SavedSearch.newBuilder().setQuery(query).build();
    favorites.add(
        home(recipient),
        2,
        1,
        0,
        0,
        0,
        since,
        recipient,
        id.hex(),
        "search",
        bytes(body.toByteString()));
    subscribers.add(home(id.hex()), 1, 1, since, id.hex(), recipient);
    if (copiedSearches.add(id)) {
      distinct.add(home(id.hex()), true, 1, since, id.hex(), bytes(query.toByteString()));
    }
  }

  private void addFollow(String recipient, String seller) {
    favorites.add(
        home(recipient),
        3,
        1,
        0,
        0,
        0,
        since,
        recipient,
        seller,
        "",
        bytes(FavoriteSeller.getDefaultInstance().toByteString()));
    followers.add(home(seller), 1, 1, since, seller, recipient);
  }

  private static int home(String key) {
    return Home.of(key).number();
  }

  private static String bytes(ByteString bytes) {
    return "\\\\x" + HexFormat.of().formatHex(bytes.toByteArray());
  }

  private void flush() throws SQLException, IOException {
    for (Table table : new Table[] {owners, favorites, subscribers, distinct, followers}) {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY " + table.columns + " FROM STDIN", new StringReader(table.rows.toString()));
      table.rows.setLength(0);
    }
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
