package dev.torg.platform;

import com.google.common.net.InetAddresses;
import java.util.Locale;

/// Names of this machine. A separate class without Armeria: the configuration is read before the
/// log is configured, and Armeria creates loggers when it is loaded.
public final class Loopback {
  private Loopback() {}

  /// `localhost`, 127.0.0.0/8 or `::1`. Names are compared, never looked up: a lookup is what an attacker controls.
  public static boolean isLoopback(String host) {
    return host.toLowerCase(Locale.ROOT).equals("localhost")
        || (InetAddresses.isInetAddress(host) && InetAddresses.forString(host).isLoopbackAddress());
  }
}
