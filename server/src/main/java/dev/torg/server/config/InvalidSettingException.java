package dev.torg.server.config;

/// An unknown setting, or an invalid value of one. The message starts with the key's name.
public final class InvalidSettingException extends RuntimeException {
  public InvalidSettingException(String key, String problem) {
    super(key + " " + problem);
  }
}
