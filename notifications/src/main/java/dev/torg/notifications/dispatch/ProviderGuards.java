package dev.torg.notifications.dispatch;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.torg.notifications.Channel;
import dev.torg.notifications.DeliveryProvider;
import dev.torg.notifications.channel.DeliveryTarget;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/// The guards of all providers. Webhooks and web pushes have one per host, since recipients name the address: a host that
/// fails does not stop the channel.
final class ProviderGuards {
  private static final int MAX_HOSTS = 10_000;
  private static final Duration HOST_IDLE_TIME = Duration.ofMinutes(30);

  private final Map<DeliveryProvider, ProviderGuard> shared = new EnumMap<>(DeliveryProvider.class);
  private final Map<Channel, List<ProviderGuard>> sharedOf = new EnumMap<>(Channel.class);
  private final Map<DeliveryProvider, LoadingCache<String, ProviderGuard>> hosts =
      new EnumMap<>(DeliveryProvider.class);

  /// @param onStateChange receives the channel of a provider whose breaker changed
  ProviderGuards(
      DeliverySettings settings,
      ExecutorService threads,
      DeliveryMetrics metrics,
      Consumer<Channel> onStateChange) {
    for (DeliveryProvider provider : DeliveryProvider.values()) {
      if (isAtManyHosts(provider)) {
        hosts.put(provider, guards(provider, settings, threads, metrics));
        metrics.openHosts(provider, () -> openHosts(provider));
      } else {
        ProviderGuard guard =
            new ProviderGuard(
                provider.code(),
                settings.rate(provider),
                settings,
                threads,
                metrics.latency(provider),
                () -> onStateChange.accept(provider.channel()));
        shared.put(provider, guard);
        sharedOf.computeIfAbsent(provider.channel(), _ -> new ArrayList<>()).add(guard);
        metrics.breaker(provider, guard::state);
      }
    }
  }

  /// Whether its messages go to addresses that recipients name.
  private static boolean isAtManyHosts(DeliveryProvider provider) {
    return provider == DeliveryProvider.WEBHOOK || provider == DeliveryProvider.WEB_PUSH;
  }

  private static LoadingCache<String, ProviderGuard> guards(
      DeliveryProvider provider,
      DeliverySettings settings,
      ExecutorService threads,
      DeliveryMetrics metrics) {
    return Caffeine.newBuilder()
        .maximumSize(MAX_HOSTS)
        .expireAfterAccess(HOST_IDLE_TIME)
        .build(
            host ->
                new ProviderGuard(
                    provider.code() + " " + host,
                    settings.rate(provider),
                    settings,
                    threads,
                    metrics.latency(provider),
                    () -> {}));
  }

  ProviderGuard of(DeliveryTarget target) {
    return switch (target) {
      case DeliveryTarget.Webhook webhook -> ofHost(DeliveryProvider.WEBHOOK, webhook.url());
      case DeliveryTarget.WebPush push -> ofHost(DeliveryProvider.WEB_PUSH, push.endpoint());
      case DeliveryTarget.Email _,
          DeliveryTarget.Apns _,
          DeliveryTarget.Fcm _,
          DeliveryTarget.Phone _ ->
          Objects.requireNonNull(shared.get(target.provider()));
    };
  }

  private ProviderGuard ofHost(DeliveryProvider provider, String url) {
    return Objects.requireNonNull(hosts.get(provider)).get(host(url));
  }

  /// How many messages of a channel may be in flight: while one of its providers is not called, none.
  int allowed(Channel channel) {
    int allowed = Integer.MAX_VALUE;
    for (ProviderGuard guard : sharedOf.getOrDefault(channel, List.of())) {
      allowed = Math.min(allowed, guard.allowed());
    }
    return allowed;
  }

  private long openHosts(DeliveryProvider provider) {
    return Objects.requireNonNull(hosts.get(provider)).asMap().values().stream()
        .filter(guard -> guard.state() != CircuitBreaker.State.CLOSED)
        .count();
  }

  private static String host(String url) {
    try {
      return Objects.requireNonNullElse(URI.create(url).getHost(), "");
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
