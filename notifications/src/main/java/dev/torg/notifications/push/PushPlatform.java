package dev.torg.notifications.push;

import dev.torg.notifications.channel.MessageAction;

/// The platform of a device, which decides on the link that a click opens.
enum PushPlatform {
  WEB,
  ANDROID,
  IOS;

  /// The link of the platform, or the web page.
  String link(MessageAction action) {
    String own =
        switch (this) {
          case WEB -> action.web();
          case ANDROID -> action.android();
          case IOS -> action.ios();
        };
    return own.isEmpty() ? action.web() : own;
  }
}
