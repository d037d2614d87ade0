package dev.torg.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where log lines go in `torg up`.
class LogFileTest {
  @TempDir Path directory;

  private final LoggerContext context = new LoggerContext();
  private final PrintStream console = System.err;
  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

  @BeforeEach
  void configure() throws Exception {
    System.setErr(new PrintStream(terminal, true, StandardCharsets.UTF_8));
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("TORG_LOG_DIRECTORY", directory.toString());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogFileTest.class.getResource("/logback-file.xml"));
  }

  @AfterEach
  void restore() {
    System.setErr(console);
    context.stop();
  }

  @Test
  void terminal_showsTorgsWarningsAndAllErrors_onceEach() {
    log();
    assertThat(terminal.toString(StandardCharsets.UTF_8).lines())
        .map(line -> line.replaceFirst(".* - ", "").strip())
        .containsExactly("our warning", "our error", "their error");
  }

  @Test
  void file_hasEverything_onceEach() throws Exception {
    log();
    assertThat(Files.readString(directory.resolve("torg.log")).lines())
        .map(line -> line.replaceFirst(".* - ", "").strip())
        .containsExactly(
            "our information",
            "our warning",
            "our error",
            "their information",
            "their warning",
            "their error");
  }

  private void log() {
    var torgLogger = context.getLogger("dev.torg.server.Thing");
    torgLogger.info("our information");
    torgLogger.warn("our warning");
    torgLogger.error("our error");
    var libraryLogger = context.getLogger("com.linecorp.armeria.common.Flags");
    libraryLogger.info("their information");
    libraryLogger.warn("their warning");
    libraryLogger.error("their error");
  }
}
