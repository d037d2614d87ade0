package dev.torg.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseAddressTest {
  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://db:5432/torg, postgresql://db:5432/torg",
    "jdbc:postgresql://db/torg?user=me&password=secret, postgresql://me@db/torg",
    "jdbc:postgresql://db/torg?password=secret&user=me, postgresql://me@db/torg",
    "jdbc:postgresql://db/torg?sslpassword=secret&sslmode=require, postgresql://db/torg",
    "'jdbc:postgresql://a:1,b:2/torg?user=me', 'postgresql://me@a:1,b:2/torg'",
    "jdbc:postgresql://db/torg?user=me%26password%3Dsecret, postgresql://db/torg",
    "postgresql://me:secret@db/torg, postgresql://db/torg",
  })
  void forDisplay_anyParameters_showsOnlyTheUser(String url, String expected) {
    assertThat(DatabaseAddress.forDisplay(url)).isEqualTo(expected);
  }
}
