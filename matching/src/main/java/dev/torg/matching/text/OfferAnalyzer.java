package dev.torg.matching.text;

import dev.torg.matching.feature.Feature;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.jspecify.annotations.Nullable;

/// [TextAnalysis] as a Lucene analyzer: the same words, each at the next position. Several values of a field
/// are separated by a wide gap, so that a phrase never spans them.
public final class OfferAnalyzer extends Analyzer {
  @Override
  protected TokenStreamComponents createComponents(String field) {
    return new TokenStreamComponents(new Words());
  }

  @Override
  public int getPositionIncrementGap(String field) {
    return 100;
  }

  private static final class Words extends Tokenizer {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final OffsetAttribute offsets = addAttribute(OffsetAttribute.class);
    private Scanner scanner = new Scanner("");
    private @Nullable Feature second;
    private int length;

    @Override
    public void reset() throws IOException {
      super.reset();
      StringBuilder text = new StringBuilder();
      char[] chunk = new char[4096];
      for (int read = input.read(chunk); read >= 0; read = input.read(chunk)) {
        text.append(chunk, 0, read);
      }
      length = text.length();
      scanner = new Scanner(text.toString());
      second = null;
    }

    @Override
    public boolean incrementToken() {
      clearAttributes();
      if (second != null) {
        term.append(second.text());
        second = null;
      } else if (scanner.next()) {
        StemCache.Entry entry = TextAnalysis.entry(scanner);
        term.append(entry.stem().text());
        second = entry.second();
      } else {
        return false;
      }
      offsets.setOffset(offset(scanner.start), offset(scanner.end));
      return true;
    }

    /// Composing letters may move offsets by a few; they stay within the text.
    private int offset(int at) {
      return correctOffset(Math.min(at, length));
    }

    @Override
    public void end() {
      try {
        super.end();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      offsets.setOffset(correctOffset(length), correctOffset(length));
    }
  }
}
