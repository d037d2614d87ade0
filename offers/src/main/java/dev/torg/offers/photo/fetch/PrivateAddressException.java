package dev.torg.offers.photo.fetch;

import java.net.UnknownHostException;

/// A name that leads, or an address that belongs, to where nobody is sent by a stranger.
final class PrivateAddressException extends UnknownHostException {
  private static final long serialVersionUID = 1;

  PrivateAddressException(String host) {
    super(host);
  }
}
