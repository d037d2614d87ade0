package dev.torg.platform;

import java.util.Set;

/// Who calls: the token's subject (`user:42`, `anon:…`) and roles. For a service that acts on
/// behalf of a person, the person is the subject and the service's roles remain.
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

  /// The home of all that this person owns.
  public Home home() {
    return Home.of(subject);
  }
}
