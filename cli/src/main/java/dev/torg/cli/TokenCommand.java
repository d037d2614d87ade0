package dev.torg.cli;

import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.TokenService;
import dev.torg.server.config.Configuration;
import dev.torg.server.run.TokenServiceFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Prints a token signed with the data directory's key: for operators, services and scripts.
@Command(
    name = "token",
    description =
        "Prints a token signed with the data directory's key (or --keys); the server need not run.")
final class TokenCommand implements Runnable {
  @CommandLine.Spec CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--subject",
      required = true,
      paramLabel = "SUBJECT",
      description = "the subject: user:42, service:billing")
  private String subject = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description = "user (default), moderator, service, admin; may be repeated")
  private List<String> roles = List.of("user");

  @Override
  public void run() {
    Configuration configuration = SettingOptions.configuration(spec.commandLine().getParseResult());
    TokenService tokens = TokenServiceFactory.existing(configuration);
    spec.commandLine()
        .getOut()
        .println(tokens.issue(subject, roles(), configuration.tokenLifetime()).token());
  }

  private Set<Role> roles() {
    Set<Role> parsed = EnumSet.noneOf(Role.class);
    for (String role : roles) {
      parsed.add(parse(role));
    }
    return parsed;
  }

  private static Role parse(String name) {
    try {
      return Role.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw Failure.invalid(
          "role.unknown",
          "--role must be user, moderator, service or admin, not " + name,
          "role",
          "is unknown");
    }
  }
}
