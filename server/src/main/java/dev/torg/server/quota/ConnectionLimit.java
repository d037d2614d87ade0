package dev.torg.server.quota;

import dev.torg.server.quota.Quota.Outcome;
import dev.torg.server.quota.Refusals.Kind;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Closes a new connection when there are too many, of its address or altogether. Trusted proxies carry the
/// connections of many clients and count in total only. A connection that stays gets [UnreadFrames].
public final class ConnectionLimit implements Consumer<ChannelPipeline> {
  private final Quota connections;
  private final Predicate<InetAddress> trusted;
  private final Refusals refusals;

  public ConnectionLimit(Bound bound, Predicate<InetAddress> trusted, Refusals refusals) {
    this.connections = new Quota(bound);
    this.trusted = trusted;
    this.refusals = refusals;
  }

  @Override
  public void accept(ChannelPipeline pipeline) {
    Channel channel = pipeline.channel();
    if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
      return;
    }
    InetAddress address = remote.getAddress();
    String key = trusted.test(address) ? null : AddressKey.of(address);
    if (connections.tryAcquire(key, 1) == Outcome.ACQUIRED) {
      channel.closeFuture().addListener(_ -> connections.release(key, 1));
      pipeline.addFirst(new UnreadFrames());
    } else {
      refusals.count(Kind.CONNECTIONS);
      channel.close();
    }
  }
}
