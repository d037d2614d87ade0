package dev.torg.server.access;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.torg.api.v1.CallerKind;
import dev.torg.platform.Caller;
import dev.torg.platform.Caller.Role;
import dev.torg.platform.Failure;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The declared callers of a method, in the form in which they are checked: any one of the declared
/// kinds suffices, and role admin is always allowed.
public final class CallerPolicy {
  private final List<CallerKind> declared;
  private final boolean anyone;
  private final boolean anyToken;
  private final Set<Role> roles = EnumSet.of(Role.ADMIN);

  private CallerPolicy(Collection<CallerKind> declared) {
    this.declared = List.copyOf(declared);
    this.anyone = declared.contains(CallerKind.ANYONE);
    this.anyToken = anyone || declared.contains(CallerKind.ANY_TOKEN);
    declared.forEach(kind -> roles.addAll(rolesOf(kind)));
  }

  /// Refuses an empty or unspecified declaration: a server with such a method must not start.
  public static CallerPolicy of(String subject, Collection<CallerKind> declared) {
    if (declared.isEmpty()
        || declared.contains(CallerKind.CALLER_UNSPECIFIED)
        || declared.contains(CallerKind.UNRECOGNIZED)) {
      throw new IllegalStateException(subject + " does not declare its callers");
    }
    return new CallerPolicy(declared);
  }

  public static CallerPolicy of(MethodDescriptor method) {
    return of(
        method.getFullName(),
        method.getOptions().getExtension(dev.torg.api.v1.CallersProto.callers));
  }

  public List<CallerKind> declared() {
    return declared;
  }

  public boolean needsToken() {
    return !anyone;
  }

  /// A null caller has sent no token.
  void check(@Nullable Caller caller) {
    if (caller == null) {
      if (!anyone) {
        throw Failure.unauthenticated("token.missing", "this call needs a token");
      }
    } else if (!anyToken && !hasRole(caller)) {
      if (caller.isAnonymous() && roles.contains(Role.USER)) {
        throw Failure.unauthenticated("login.required", "this call needs a login");
      }
      throw Failure.forbidden("role.missing", "the token's role does not allow this call");
    }
  }

  private boolean hasRole(Caller caller) {
    for (Role role : caller.roles()) {
      if (roles.contains(role)) {
        return true;
      }
    }
    return false;
  }

  private static Set<Role> rolesOf(CallerKind kind) {
    return switch (kind) {
      case USER -> EnumSet.of(Role.USER, Role.MODERATOR, Role.SERVICE, Role.ADMIN);
      case MODERATOR -> EnumSet.of(Role.MODERATOR);
      case SERVICE -> EnumSet.of(Role.SERVICE);
      case ADMIN, ANYONE, ANY_TOKEN, CALLER_UNSPECIFIED, UNRECOGNIZED -> EnumSet.of(Role.ADMIN);
    };
  }
}
