package dev.torg.notifications.template;

import dev.torg.api.v1.NotificationTemplate;
import dev.torg.api.v1.PreviewTemplateRequest;
import dev.torg.api.v1.PreviewTemplateResponse;
import dev.torg.platform.Failure;
import dev.torg.platform.Failure.Violation;
import dev.torg.platform.db.CommitUnknown;
import dev.torg.platform.db.Database;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// Stores and previews templates. Blocks.
public final class TemplateService {
  /// Two writers of one template make one of them try again.
  private static final int MAX_ATTEMPTS = 10;

  private final Database database;
  private final TemplateStore store = new TemplateStore();
  private final StoredTemplates templates;
  private final InstantSource clock;

  public TemplateService(Database database, StoredTemplates templates, InstantSource clock) {
    this.database = database;
    this.templates = templates;
    this.clock = clock;
  }

  /// Stores the content as a new version, unless it is that of the newest one.
  public NotificationTemplate put(NotificationTemplate request) {
    TemplateValidator.check(request);
    NotificationTemplate content = TemplateStore.content(request);
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      Optional<NotificationTemplate> newest = find(request.getId());
      if (newest.filter(found -> TemplateStore.content(found).equals(content)).isPresent()) {
        return newest.get();
      }
      int version = newest.map(NotificationTemplate::getVersion).orElse(0) + 1;
      insert(request.toBuilder().setVersion(version).build());
    }
    throw Failure.unavailable("database.failed", "the template is being changed, try again", null);
  }

  /// The next attempt reads what was stored, whatever became of the insert.
  private void insert(NotificationTemplate template) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    try {
      database.inTransaction(tx -> store.insert(tx, template, now));
    } catch (CommitUnknown e) {
      if (find(template.getId()).map(NotificationTemplate::getVersion).orElse(0)
          < template.getVersion()) {
        throw Failure.unavailable(
            "commit.unknown", "it is not known whether the template was stored", e);
      }
    } finally {
      templates.changed(template.getId());
    }
  }

  public NotificationTemplate get(String id) {
    return find(id).orElseThrow(TemplateService::notFound);
  }

  private Optional<NotificationTemplate> find(String id) {
    return database.read(tx -> store.newest(tx, id));
  }

  public PreviewTemplateResponse preview(PreviewTemplateRequest request) {
    CompiledTemplate template = CompiledTemplate.of(get(request.getId()));
    List<Violation> violations = template.violations("params", request.getParamsMap());
    if (!violations.isEmpty()) {
      throw Failure.invalid("notification.invalid", "invalid parameters", violations);
    }
    CompiledTemplate.Rendered rendered =
        template.render(request.getLanguage(), request.getParamsMap());
    return PreviewTemplateResponse.newBuilder()
        .setVersion(template.version())
        .setLanguage(rendered.language())
        .setContent(rendered.content())
        .build();
  }

  private static Failure notFound() {
    return Failure.notFound("template.not-found", "there is no such template");
  }
}
