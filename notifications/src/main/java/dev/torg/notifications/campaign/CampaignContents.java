package dev.torg.notifications.campaign;

import dev.torg.api.v1.CreateCampaignRequest;
import dev.torg.api.v1.NotificationTemplate;

/// What campaigns say.
public interface CampaignContents {
  /// The key of content that was not given by language.
  String ANY_LANGUAGE = "";

  /// Checks topic, channels, versions and content of a request, and renders its content: that of a template in each of
  /// its languages, from its newest version; content without a template under [#ANY_LANGUAGE]. Fails with INVALID, as
  /// sending a notification does.
  NotificationTemplate render(CreateCampaignRequest request);
}
