package dev.torg.offers.photo.fetch;

import java.net.UnknownHostException;

/// A name that leads, or an address that belongs, to where nobody is sent by a stranger.
final class RefusedHost extends UnknownHostException {
  private static final long serialVersionUID = 1;

  RefusedHost(String host) {
    super(host);
  }
}
