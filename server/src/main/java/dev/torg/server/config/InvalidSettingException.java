package dev.torg.server.config;

/// A setting that does not exist or has a value that cannot be. The message starts with the key's name.
public final class InvalidSettingException extends RuntimeException {
  public InvalidSettingException(String key, String problem) {
    super(key + " " + problem);
  }
}
