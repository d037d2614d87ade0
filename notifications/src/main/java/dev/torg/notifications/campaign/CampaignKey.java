package dev.torg.notifications.campaign;

import dev.torg.platform.Home;

/// Identifies a campaign: ids are unique per sender.
record CampaignKey(String sender, String id) {
  /// As one text, by which other tables refer to the campaign. A sender contains no slash.
  String text() {
    return sender + "/" + id;
  }

  Home home() {
    return Home.of(text());
  }
}
