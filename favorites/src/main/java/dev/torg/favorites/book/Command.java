package dev.torg.favorites.book;

/// One thing that a person does to what they saved. It asks for what it has to see, then decides: it
/// changes the book, or throws a failure before it has changed anything.
public interface Command {
  String owner();

  void ask(Needs needs);

  Answer decide(Book book);
}
