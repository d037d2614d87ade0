package dev.torg.notifications.template;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import java.io.Writer;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Compiles and renders Mustache templates over a map of texts and booleans. There are no lists, so the time of a
/// rendering is bounded by the length of its template; its output is bounded by [#MAX_OUTPUT]. Variables are found in
/// the map only, never by reflection, and partials are refused.
final class TemplateEngine {
  /// Characters of one rendered text. The rules of contents are stricter; this bounds memory.
  private static final int MAX_OUTPUT = 20_000;

  private static final String TAG = "{{";

  private static final Mustache.Compiler COMPILER =
      Mustache.compiler()
          .withEscaper(Escapers.NONE)
          .withCollector(new MapCollector())
          .strictSections(true)
          .emptyStringIsFalse(true);

  private TemplateEngine() {}

  /// A template that cannot be used, with the reason.
  static final class TemplateException extends Exception {
    private final String problem;

    TemplateException(String problem) {
      super(problem);
      this.problem = problem;
    }

    String problem() {
      return problem;
    }
  }

  /// A compiled text. Safe for use by several threads.
  static final class CompiledText {
    private final String source;
    private final Optional<Template> template;
    private final Set<String> names;

    private CompiledText(String source, Optional<Template> template, Set<String> names) {
      this.source = source;
      this.template = template;
      this.names = names;
    }

    /// The parameters that it uses.
    Set<String> names() {
      return names;
    }

    String render(Map<String, Object> values) throws TemplateException {
      if (template.isEmpty()) {
        return source;
      }
      BoundedWriter out = new BoundedWriter(MAX_OUTPUT);
      try {
        template.get().execute(values, out);
      } catch (MustacheException e) {
        throw new TemplateException("cannot be rendered");
      }
      if (out.isExceeded()) {
        throw new TemplateException("is too long with these parameters");
      }
      return out.text();
    }
  }

  static CompiledText compile(String source) throws TemplateException {
    if (!source.contains(TAG)) {
      return new CompiledText(source, Optional.empty(), Set.of());
    }
    try {
      Template template = COMPILER.compile(source);
      Names names = new Names();
      template.visit(names);
      if (names.hasPartials) {
        throw new TemplateException("must not include other templates");
      }
      if (names.hasOpenTag) {
        throw new TemplateException("has a tag that is not closed");
      }
      return new CompiledText(source, Optional.of(template), Set.copyOf(names.found));
    } catch (IndexOutOfBoundsException e) {
      throw new TemplateException("has an empty tag");
    } catch (MustacheException e) {
      throw new TemplateException("is not a valid template: " + e.getMessage());
    }
  }

  /// Collects the names of variables and sections.
  private static final class Names implements Mustache.Visitor {
    private final Set<String> found = new TreeSet<>();
    private boolean hasPartials;
    private boolean hasOpenTag;

    @Override
    public void visitText(String text) {
      hasOpenTag |= text.contains(TAG);
    }

    @Override
    public void visitVariable(String name) {
      found.add(name);
    }

    @Override
    public boolean visitInclude(String name) {
      hasPartials = true;
      return false;
    }

    @Override
    public boolean visitParent(String name) {
      hasPartials = true;
      return false;
    }

    @Override
    public boolean visitBlock(String name) {
      hasPartials = true;
      return false;
    }

    @Override
    public boolean visitSection(String name) {
      return found.add(name) || true;
    }

    @Override
    public boolean visitInvertedSection(String name) {
      return found.add(name) || true;
    }
  }

  private static final class MapCollector implements Mustache.Collector {
    @Override
    public @Nullable Iterator<?> toIterator(Object value) {
      return value instanceof Iterable<?> ? Collections.emptyIterator() : null;
    }

    @Override
    public Mustache.@Nullable VariableFetcher createFetcher(Object context, String name) {
      return context instanceof Map<?, ?> map && map.containsKey(name) ? MapCollector::fetch : null;
    }

    /// An exception makes the engine search the context again.
    private static Object fetch(Object context, String name) {
      if (context instanceof Map<?, ?> map && map.get(name) instanceof Object value) {
        return value;
      }
      throw new IllegalStateException("no parameter " + name);
    }

    @Override
    public <K, V> Map<K, V> createFetcherCache() {
      return new ConcurrentHashMap<>();
    }
  }

  /// Discards what exceeds the bound.
  private static final class BoundedWriter extends Writer {
    private final StringBuilder text = new StringBuilder();
    private final int maxLength;
    private boolean exceeded;

    BoundedWriter(int maxLength) {
      this.maxLength = maxLength;
    }

    @Override
    public void write(char[] buffer, int offset, int length) {
      exceeded |= text.length() + length > maxLength;
      if (!exceeded) {
        text.append(buffer, offset, length);
      }
    }

    boolean isExceeded() {
      return exceeded;
    }

    String text() {
      return text.toString();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
