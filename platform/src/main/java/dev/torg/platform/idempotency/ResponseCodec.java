package dev.torg.platform.idempotency;

/// How a response is stored: for a protobuf message its own bytes.
public interface ResponseCodec<O> {
  byte[] encode(O response);

  O decode(byte[] bytes);
}
