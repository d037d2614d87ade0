package dev.torg.cli;

import dev.torg.bench.process.ApiClient;
import dev.torg.server.config.Configuration;
import picocli.CommandLine.Option;

/// Which server a command calls, and as which caller.
final class ServerOptions {
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "",
      description = "where Torg is, when it does not run on this data directory")
  private String url = "";

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      defaultValue = "",
      description = "the seller's or a service's token, where there is no development login")
  private String token = "";

  boolean hasToken() {
    return !token.isEmpty();
  }

  /// A client without a token.
  ApiClient connect(Configuration configuration) {
    return url.isEmpty() ? ApiClient.ofRunning(configuration.data()) : new ApiClient(url);
  }

  /// The client with the given token or, without one, logged in as the seller.
  ApiClient as(String seller, ApiClient anonymous) {
    return hasToken() ? anonymous.with(token) : anonymous.loggedInAs(seller);
  }
}
