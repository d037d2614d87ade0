package dev.torg.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/// Captures what is logged while it is open, at WARN and above unless a logger is set otherwise.
final class CapturedLog implements AutoCloseable {
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  CapturedLog() {
    appender.start();
    root.addAppender(appender);
  }

  List<String> lines() {
    return new ArrayList<>(appender.list)
        .stream()
            .filter(
                event ->
                    event.getLevel().isGreaterOrEqual(Level.WARN)
                        || event.getLoggerName().equals("torg.access"))
            .map(event -> event.getFormattedMessage() + " " + event.getKeyValuePairs())
            .toList();
  }

  @Override
  public void close() {
    root.detachAppender(appender);
  }
}
