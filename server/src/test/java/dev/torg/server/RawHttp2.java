package dev.torg.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// An HTTP/2 client that misbehaves as a test requires: it writes raw frames and acknowledges
/// nothing.
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;

  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int INITIAL_WINDOW_SIZE = 4;

  private final Socket socket;
  private final OutputStream out;
  private final DataInputStream in;
  private int nextStream = 1;

  record Frame(int type, int flags, int stream, byte[] payload) {
    int errorCode() {
      return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
    }
  }

  /// @param window of every stream: how much the server may send before it is granted more
  RawHttp2(int port, int window) {
    try {
      socket = new Socket("127.0.0.1", port);
      socket.setSoTimeout(30_000);
      out = socket.getOutputStream();
      in = new DataInputStream(socket.getInputStream());
      out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] setting =
          ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(window).array();
      write(SETTINGS, 0, 0, setting);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int get(String path, String... headers) {
    return open("GET", path, true, headers);
  }

  /// Begins a call and returns the number of its stream.
  int open(String method, String path, boolean end, String... headers) {
    int stream = nextStream;
    nextStream += 2;
    write(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, block(method, path, headers));
    return stream;
  }

  void data(int stream, byte[] bytes, boolean end) {
    write(DATA, end ? END_STREAM : 0, stream, bytes);
  }

  /// HPACK without compression: every field is a literal.
  private static byte[] block(String method, String path, String... headers) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", method);
    field(block, ":scheme", "http");
    field(block, ":authority", "127.0.0.1");
    field(block, ":path", path);
    for (int i = 0; i < headers.length; i += 2) {
      field(block, headers[i], headers[i + 1]);
    }
    return block.toByteArray();
  }

  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    text(block, name);
    text(block, value);
  }

  private static void text(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length < 127) {
      block.write(bytes.length);
    } else {
      block.write(127);
      int remainder = bytes.length - 127;
      while (remainder >= 128) {
        block.write((remainder & 127) | 128);
        remainder >>= 7;
      }
      block.write(remainder);
    }
    block.writeBytes(bytes);
  }

  private void write(int type, int flags, int stream, byte[] payload) {
    send(frame(type, flags, stream, payload));
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    return frame.put((byte) type).put((byte) flags).putInt(stream).put(payload).array();
  }

  static byte[] pings(int count) {
    ByteArrayOutputStream pings = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      pings.writeBytes(frame(PING, 0, 0, new byte[8]));
    }
    return pings.toByteArray();
  }

  /// False when the server has closed the connection; reading shows more.
  boolean send(byte[] frames) {
    try {
      out.write(frames);
      return true;
    } catch (SocketException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The next frame, or null when the server has closed the connection.
  @Nullable Frame read() {
    try {
      int length = (in.readUnsignedByte() << 16) | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] payload = new byte[length];
      in.readFully(payload);
      return new Frame(type, flags, stream, payload);
    } catch (EOFException | SocketException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The next frame of a type, or null when the server has closed the connection.
  @Nullable Frame read(int type) {
    Frame frame = read();
    while (frame != null && frame.type() != type) {
      frame = read();
    }
    return frame;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
