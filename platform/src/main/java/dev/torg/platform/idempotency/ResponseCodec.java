package dev.torg.platform.idempotency;

/// How an answer is kept: for a protobuf message its own bytes.
public interface ResponseCodec<O> {
  byte[] encode(O answer);

  O decode(byte[] bytes);
}
