package dev.torg.server;

/// Which clients may use the development login. It allows a caller to log in as any user, so it is
/// meant for the developer's own machine.
public enum DevelopmentLogin {
  OFF,

  /// Only requests made on this machine, to a name of this machine ([dev.torg.server.access.RequestOrigin]).
  LOCAL,

  /// Every client that can reach the server.
  INSECURE
}
