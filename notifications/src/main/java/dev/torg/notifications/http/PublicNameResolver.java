package dev.torg.notifications.http;

import com.github.benmanes.caffeine.cache.Cache;
import dev.torg.platform.net.PublicHostResolver;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Resolves names for connections with [PublicHostResolver], on virtual threads, because a lookup blocks.
final class PublicNameResolver extends InetNameResolver {
  private final PublicHostResolver hosts;
  private final Cache<String, List<InetAddress>> cache;

  PublicNameResolver(
      EventExecutor executor, PublicHostResolver hosts, Cache<String, List<InetAddress>> cache) {
    super(executor);
    this.hosts = hosts;
    this.cache = cache;
  }

  @Override
  protected void doResolve(String host, Promise<InetAddress> promise) {
    Promise<List<InetAddress>> all = executor().newPromise();
    all.addListener(
        done -> {
          if (done.isSuccess()) {
            promise.trySuccess(all.getNow().getFirst());
          } else {
            promise.tryFailure(done.cause());
          }
        });
    doResolveAll(host, all);
  }

  @Override
  protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
    List<InetAddress> cached = cache.getIfPresent(host);
    if (cached != null) {
      promise.trySuccess(cached);
    } else {
      Thread.startVirtualThread(() -> lookUp(host, promise));
    }
  }

  private void lookUp(String host, Promise<List<InetAddress>> promise) {
    try {
      List<InetAddress> addresses = hosts.resolve(host);
      cache.put(host, addresses);
      promise.trySuccess(addresses);
    } catch (UnknownHostException | RuntimeException e) {
      promise.tryFailure(e);
    }
  }
}
