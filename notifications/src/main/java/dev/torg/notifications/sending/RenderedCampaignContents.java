package dev.torg.notifications.sending;

import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.NotificationTemplate;
import dev.torg.api.v1.SendNotificationRequest;
import dev.torg.api.v1.TemplateUse;
import dev.torg.notifications.NotificationTopics;
import dev.torg.notifications.campaign.CampaignContents;
import dev.torg.notifications.template.CompiledTemplate;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.platform.Caller;
import dev.torg.platform.Failure.Violation;
import java.time.Instant;
import java.util.List;

/// Validates what campaigns say as notifications to named recipients, and renders it in all languages.
public record RenderedCampaignContents(NotificationTopics topics, StoredTemplates templates)
    implements CampaignContents {
  @Override
  public NotificationTemplate render(CreateCampaignRequest request) {
    List<Violation> violations =
        SendRequestValidator.violations(notification(request), topics, Instant.EPOCH);
    if (!violations.isEmpty()) {
      throw SendingService.invalid(violations);
    }
    return request.hasTemplate()
        ? render(request.getTemplate())
        : NotificationTemplate.newBuilder()
            .putLanguages(ANY_LANGUAGE, request.getContent())
            .build();
  }

  /// What both have in common, to one recipient in place of the audience.
  private static SendNotificationRequest notification(CreateCampaignRequest request) {
    SendNotificationRequest.Builder notification =
        SendNotificationRequest.newBuilder()
            .setId(request.getId())
            .addRecipients(Caller.USER_PREFIX + 1)
            .setTopic(request.getTopic())
            .addAllChannels(request.getChannelsList())
            .setMinAppVersion(request.getMinAppVersion());
    if (request.hasContent()) {
      notification.setContent(request.getContent());
    }
    if (request.hasTemplate()) {
      notification.setTemplate(request.getTemplate());
    }
    return notification.build();
  }

  private NotificationTemplate render(TemplateUse use) {
    CompiledTemplate template =
        templates.newest(use.getId()).orElseThrow(SendingService::unknownTemplate);
    List<Violation> violations = template.violations("template.params", use.getParamsMap());
    if (!violations.isEmpty()) {
      throw SendingService.invalid(violations);
    }
    NotificationTemplate.Builder rendered =
        NotificationTemplate.newBuilder().setId(use.getId()).setVersion(template.version());
    for (String language : template.template().getLanguagesMap().keySet()) {
      rendered.putLanguages(language, template.render(language, use.getParamsMap()).content());
    }
    return rendered.build();
  }
}
