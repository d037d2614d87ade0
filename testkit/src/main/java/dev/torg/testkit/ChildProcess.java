package dev.torg.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A main class of the tests in a separate JVM, for behaviour that only a real process shows: being
/// killed, or being suspended and resumed.
public final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private ChildProcess(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::read);
  }

  public static ChildProcess start(Class<?> main, String... arguments) {
    return start(List.of(), main, arguments);
  }

  /// With a heap of this size; it exits when the heap is exhausted, as a server would.
  public static ChildProcess start(int heapMegabytes, Class<?> main, String... arguments) {
    List<String> heap = List.of("-Xmx" + heapMegabytes + "m", "-XX:+ExitOnOutOfMemoryError");
    return start(heap, main, arguments);
  }

  /// With options for the JVM, which override those given to every child.
  public static ChildProcess start(List<String> options, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      return new ChildProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Its output so far.
  public List<String> lines() {
    return lines;
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /// `kill -9`.
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /// Requests an orderly end, and waits.
  public void end() {
    process.destroy();
    process.onExit().join();
  }

  /// SIGSTOP: suspends the process without notice.
  public void freeze() {
    signal("-STOP");
  }

  /// SIGCONT.
  public void thaw() {
    signal("-CONT");
  }

  @Override
  public void close() {
    kill();
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().onExit().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    process.inputReader().lines().forEach(lines::add);
  }
}
