package dev.torg.server.quota;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;

/// Stops reading from a client that does not read: frames sent in response to its own (pings,
/// settings, calls beyond the limit) would accumulate in memory. Reading resumes when the
/// connection has written the waiting frames. They need no flow-control window of the client any
/// more, so none of them depends on what is not read.
final class UnreadFrames extends ChannelInboundHandlerAdapter {
  /// Flushed and not sent. A frame takes some 300 bytes of heap whatever its length.
  private static final int MAX_FRAMES = 256;

  /// Written and not sent; Netty adds 96 bytes for each frame.
  private static final long MAX_BYTES = 1 << 20;

  /// Short, because a fast client with large responses is delayed too.
  private static final long CHECK_MILLIS = 10;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    super.channelRead(ctx, message);
    pauseIfFull(ctx.channel());
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    super.channelReadComplete(ctx);
    pauseIfFull(ctx.channel());
  }

  private static void pauseIfFull(Channel channel) {
    if (channel.config().isAutoRead() && isFull(channel)) {
      channel.config().setAutoRead(false);
      checkLater(channel);
    }
  }

  private static void checkLater(Channel channel) {
    channel.eventLoop().schedule(() -> check(channel), CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static void check(Channel channel) {
    if (!channel.isOpen()) {
      return;
    }
    if (isFull(channel)) {
      checkLater(channel);
    } else {
      channel.config().setAutoRead(true);
    }
  }

  private static boolean isFull(Channel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting != null
        && (waiting.size() > MAX_FRAMES || waiting.totalPendingWriteBytes() > MAX_BYTES);
  }
}
