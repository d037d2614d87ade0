package dev.torg.favorites;

/// What else belongs to a person and goes along at login. Called with the anonymous side closed.
public interface LoginMergeStep {
  /// For logs.
  String name();

  /// Moves at most a page from the anonymous person to the login, and says whether there may be
  /// more. It may be called again after it was interrupted anywhere, and by two processes at once:
  /// what has been moved must not be moved twice, and nothing may be lost.
  boolean page(String anonymous, String login);
}
