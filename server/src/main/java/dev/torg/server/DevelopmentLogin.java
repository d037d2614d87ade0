package dev.torg.server;

/// Whom the development login answers. It lets anybody be any user, so it is meant for the machine that it runs on.
public enum DevelopmentLogin {
  OFF,

  /// Only requests made on this machine, to a name of this machine ([dev.torg.server.access.RequestOrigin]).
  LOCAL,

  /// Everybody who reaches the server.
  INSECURE
}
