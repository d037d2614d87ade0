package dev.torg.platform;

import java.util.Set;

/// The caller: the token's subject (`user:42`, `anon:…`) and roles. For a service that acts on behalf of a
/// person, the person is the subject and the roles are the service's.
public record Caller(String subject, Set<Role> roles) {
  public enum Role {
    ANONYMOUS,
    USER,
    MODERATOR,
    SERVICE,
    ADMIN
  }

  public static final String USER_PREFIX = "user:";
  public static final String ANONYMOUS_PREFIX = "anon:";

  public Caller {
    roles = Set.copyOf(roles);
  }

  public boolean isAnonymous() {
    return subject.startsWith(ANONYMOUS_PREFIX);
  }

  public boolean has(Role role) {
    return roles.contains(role);
  }

  /// The home of everything that this person owns.
  public Home home() {
    return Home.of(subject);
  }
}
