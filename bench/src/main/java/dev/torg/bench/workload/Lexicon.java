package dev.torg.bench.workload;

import java.util.SplittableRandom;

/// Generated words by rank: two in three Cyrillic with a changing ending, the others Latin. Word n
/// is the same everywhere.
final class Lexicon {
  private static final String[] CYRILLIC = {
    "ба", "во", "гри", "до", "жел", "за", "ка", "лу", "мо", "не", "по", "ра", "со", "ту", "фи",
    "хор", "це", "ша", "ю", "стро", "пле", "вер"
  };
  private static final String[] LATIN = {
    "ba", "cor", "de", "fi", "gra", "ho", "ka", "lu", "mi", "no", "pra", "ro", "sti", "tu", "ver",
    "xa"
  };
  private static final String[] CONSONANTS = {
    "б", "в", "д", "к", "л", "м", "н", "п", "р", "с", "т", "ч"
  };
  private static final String[] ENDINGS = {"ый", "ая", "ого", "ые", "ой", "ым", "ую", "ых"};

  private Lexicon() {}

  /// A form of the word: the ending varies, the stem does not.
  static String word(int rank, SplittableRandom random) {
    return rank % 3 == 2 ? latin(rank) : stem(rank) + ending(random);
  }

  /// One form in two is the first, the others increasingly rare, as in real texts.
  private static String ending(SplittableRandom random) {
    double drawn = random.nextDouble();
    return ENDINGS[(int) (ENDINGS.length * drawn * drawn * drawn)];
  }

  static String name(int rank) {
    return latin(3 * rank + 2);
  }

  private static String stem(int rank) {
    StringBuilder word = new StringBuilder();
    for (int remainder = rank + 23; remainder > 0; remainder /= CYRILLIC.length) {
      word.append(CYRILLIC[remainder % CYRILLIC.length]);
    }
    return word.append(CONSONANTS[rank % CONSONANTS.length]).toString();
  }

  private static String latin(int rank) {
    StringBuilder word = new StringBuilder();
    for (int remainder = rank + 17; remainder > 0; remainder /= LATIN.length) {
      word.append(LATIN[remainder % LATIN.length]);
    }
    return word.append('k').toString();
  }
}
