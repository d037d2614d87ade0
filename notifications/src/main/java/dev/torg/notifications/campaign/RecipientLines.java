package dev.torg.notifications.campaign;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.torg.platform.io.BoundedLineReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/// Reads recipients line by line: a JSON string, or an object with the field `recipient`. Blank lines are skipped.
final class RecipientLines {
  private static final JsonFactory JSON = JsonFactory.builder().build();

  /// An object with a recipient and some other fields.
  private static final int MAX_LINE_BYTES = 4_096;

  private final BoundedLineReader lines;

  RecipientLines(InputStream in) {
    this.lines = new BoundedLineReader(in, MAX_LINE_BYTES);
  }

  /// A line of the file.
  sealed interface Line {
    record Recipient(String subject) implements Line {}

    record Rejected(long number, String problem) implements Line {}
  }

  /// A line that cannot be read.
  private static final class InvalidLineException extends Exception {
    InvalidLineException(String problem) {
      super(problem, null, false, false);
    }
  }

  /// The next line, or null at the end.
  @Nullable Line next() throws IOException {
    while (lines.next()) {
      if (!lines.isBlank()) {
        return line();
      }
    }
    return null;
  }

  private Line line() {
    try {
      String recipient = recipient();
      return CampaignRequestValidator.isRecipient(recipient)
          ? new Line.Recipient(recipient)
          : rejected("the recipient " + CampaignRequestValidator.recipientProblem());
    } catch (InvalidLineException e) {
      return rejected(String.valueOf(e.getMessage()));
    }
  }

  private Line rejected(String problem) {
    return new Line.Rejected(lines.number(), problem);
  }

  private String recipient() throws InvalidLineException {
    if (lines.isTooLong()) {
      throw new InvalidLineException("the line is longer than " + MAX_LINE_BYTES + " bytes");
    }
    try {
      return parse(lines.text());
    } catch (CharacterCodingException e) {
      throw new InvalidLineException("the line is not UTF-8");
    } catch (IOException e) {
      throw new InvalidLineException("the line is not JSON");
    }
  }

  private static String parse(String text) throws IOException, InvalidLineException {
    try (JsonParser json = JSON.createParser(text)) {
      String recipient =
          switch (json.nextToken()) {
            case VALUE_STRING -> json.getText();
            case START_OBJECT -> field(json);
            case null, default ->
                throw new InvalidLineException("the line is neither a JSON string nor an object");
          };
      if (json.nextToken() != null) {
        throw new InvalidLineException("the line has more than one value");
      }
      return recipient;
    }
  }

  private static String field(JsonParser json) throws IOException, InvalidLineException {
    String recipient = "";
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean isRecipient = json.currentName().equals("recipient");
      if (json.nextToken() == JsonToken.VALUE_STRING && isRecipient) {
        recipient = json.getText();
      } else {
        json.skipChildren();
      }
    }
    if (json.currentToken() != JsonToken.END_OBJECT || recipient.isEmpty()) {
      throw new InvalidLineException("the object has no field recipient");
    }
    return recipient;
  }
}
