package dev.torg.promotions.rpc;

import dev.torg.platform.Caller;
import dev.torg.platform.Failure;
import dev.torg.platform.identity.Subject;

/// The seller that a path names: `me`, the caller's own subject, or for admins any user.
final class SellerPath {
  private SellerPath() {}

  static String require(String seller, Caller caller) {
    String subject = subject(seller, caller);
    return caller.has(Caller.Role.ADMIN) ? subject : own(subject, caller);
  }

  /// As the former, without the exception for admins.
  static String requireOwn(String seller, Caller caller) {
    return own(subject(seller, caller), caller);
  }

  private static String subject(String seller, Caller caller) {
    return seller.equals("me") ? caller.subject() : Subject.ofUser(seller, "seller");
  }

  private static String own(String subject, Caller caller) {
    if (!subject.equals(caller.subject())) {
      throw Failure.forbidden("seller.not-you", "this belongs to another seller");
    }
    return subject;
  }
}
