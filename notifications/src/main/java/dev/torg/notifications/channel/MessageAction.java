package dev.torg.notifications.channel;

/// What a click does. A client that does not know the type opens the link of its platform. Absent parts are empty.
public record MessageAction(String web, String android, String ios, String type, String payload) {
  public static final MessageAction NONE = new MessageAction("", "", "", "", "");

  public static MessageAction link(String web) {
    return new MessageAction(web, "", "", "", "");
  }
}
