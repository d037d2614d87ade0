package dev.torg.platform.net;

import java.net.UnknownHostException;

/// The host is, or resolves to, an address outside the public network.
public final class PrivateAddressException extends UnknownHostException {
  private static final long serialVersionUID = 1;

  PrivateAddressException(String host) {
    super(host);
  }
}
