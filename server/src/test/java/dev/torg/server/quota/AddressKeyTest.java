package dev.torg.server.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.net.InetAddresses;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressKeyTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:0:0:0:0/64",
    "2001:db8:1:2:ffff:ffff:ffff:ffff, 2001:db8:1:2:0:0:0:0/64",
    "2001:db8:1:3::1, 2001:db8:1:3:0:0:0:0/64",
    "::1, 0:0:0:0:0:0:0:0/64",
  })
  void of_address_isItsNetwork(String address, String key) {
    assertThat(AddressKey.of(InetAddresses.forString(address))).isEqualTo(key);
  }
}
