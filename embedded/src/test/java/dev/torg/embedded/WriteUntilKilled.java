package dev.torg.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.clients.producer.ProducerRecord;

/// A separate process: starts Kafka on a directory and writes records until it is killed, printing the number
/// of each acknowledged one.
final class WriteUntilKilled {
  private WriteUntilKilled() {}

  public static void main(String[] args) throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(Path.of(args[0]))) {
      EmbeddedKafkaIT.write(EmbeddedKafkaIT.clientOf(kafka), 0, 1);
      try (var producer = EmbeddedKafkaIT.producer(EmbeddedKafkaIT.clientOf(kafka))) {
        for (int i = 1; i < 1_000_000; i++) {
          producer.send(new ProducerRecord<>("letters", "letter-" + i)).get();
          System.out.println("ACK " + i);
        }
      }
    }
  }

  static Process start(Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            WriteUntilKilled.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /// Waits until at least the given number of records is acknowledged; returns how many were.
  static int acknowledged(Process process, int atLeast) throws IOException {
    BufferedReader lines = process.inputReader();
    String line;
    while ((line = lines.readLine()) != null) {
      if (line.startsWith("ACK ") && Integer.parseInt(line.substring(4)) >= atLeast) {
        return Integer.parseInt(line.substring(4)) + 1;
      }
    }
    throw new IllegalStateException("the writer ended early");
  }
}
