package dev.torg.notifications.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.torg.platform.net.PublicHostResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// The resolvers of a client's event loops, with a common cache: a name is resolved for each call.
final class PublicNameResolverGroup extends AddressResolverGroup<InetSocketAddress> {
  private final PublicHostResolver hosts;
  private final Cache<String, List<InetAddress>> cache =
      Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofSeconds(30)).build();

  PublicNameResolverGroup(PublicHostResolver hosts) {
    this.hosts = hosts;
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
    return new PublicNameResolver(executor, hosts, cache).asAddressResolver();
  }
}
