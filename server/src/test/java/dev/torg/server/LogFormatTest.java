package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogFormatTest {
  static String line(String format) throws Exception {
    LoggerContext context = new LoggerContext();
    context.putProperty("TORG_LOG_FORMAT", format);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogFormatTest.class.getResource("/logback.xml"));
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    ConsoleAppender<ILoggingEvent> appender =
        (ConsoleAppender<ILoggingEvent>) root.getAppender(format);
    LoggingEvent event =
        new LoggingEvent("x", root, Level.WARN, "it broke", new IllegalStateException("why"), null);
    event.setMDCPropertyMap(Map.of("requestId", "abc"));
    event.addKeyValuePair(new KeyValuePair("status", 200));
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  @Test
  void text_hasLevelIdMessageAndCause() throws Exception {
    assertThat(line("TEXT"))
        .contains("WARN")
        .contains("[abc]")
        .contains("it broke")
        .contains("status=\"200\"")
        .contains("IllegalStateException: why");
  }

  @Test
  void json_isOneObjectALine() throws Exception {
    String line = line("JSON");
    assertThat(line.strip()).doesNotContain("\n");
    JsonNode json = RunningServer.JSON.readTree(line);
    assertThat(json.get("level").asText()).isEqualTo("WARN");
    assertThat(json.get("message").asText()).isEqualTo("it broke");
    assertThat(json.get("requestId").asText()).isEqualTo("abc");
    assertThat(json.get("status").asInt()).isEqualTo(200);
    assertThat(json.get("stack_trace").asText()).contains("IllegalStateException: why");
  }
}
