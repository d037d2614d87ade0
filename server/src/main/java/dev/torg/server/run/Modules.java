package dev.torg.server.run;

import dev.torg.alerts.audience.SellersByOffers;
import dev.torg.alerts.wiring.AlertsWiring;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.notifications.template.StoredTemplates;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.notifications.wiring.SendingWiring;
import dev.torg.offers.wiring.OffersWiring;
import dev.torg.photos.wiring.PhotosWiring;
import dev.torg.platform.db.Migrations;
import dev.torg.platform.kafka.TopicSpec;
import dev.torg.platform.net.HostResolver;
import dev.torg.platform.net.PublicHostResolver;
import dev.torg.promotions.wiring.PromotionsWiring;
import dev.torg.server.ReadinessCheck;
import dev.torg.server.route.HttpRoute;
import dev.torg.server.route.RpcBinding;
import java.util.List;
import java.util.stream.Stream;

/// All modules of a process, wired with plain `new` and constructor arguments only, each after the modules it
/// uses. They close in the opposite order.
final class Modules {
  static final Migrations MIGRATIONS =
      Migrations.of(
          "platform",
          OffersWiring.MIGRATIONS,
          NotificationsWiring.MIGRATIONS,
          FavoritesWiring.MIGRATIONS,
          AlertsWiring.MIGRATIONS,
          PromotionsWiring.MIGRATIONS);

  static final List<TopicSpec> TOPICS =
      Stream.of(
              PhotosWiring.TOPICS,
              OffersWiring.TOPICS,
              SendingWiring.TOPICS,
              FavoritesWiring.TOPICS,
              AlertsWiring.TOPICS,
              PromotionsWiring.TOPICS)
          .flatMap(List::stream)
          .toList();

  private final List<Module> modules;

  private Modules(List<Module> modules) {
    this.modules = modules;
  }

  static Modules open(ProcessContext context, ShutdownStack shutdown) {
    PhotosModule photos = shutdown.add(new PhotosModule(context));
    OffersModule offers = shutdown.add(new OffersModule(context, photos.uploads()));
    ChannelsModule channels = shutdown.add(new ChannelsModule(context));
    NotificationsModule notifications =
        shutdown.add(
            new NotificationsModule(
                context, List.of(AlertsWiring.settingsListener(context.module().clock()))));
    DevicesModule devices =
        shutdown.add(
            new DevicesModule(
                context,
                notifications.wiring(),
                channels.senders(),
                new PublicHostResolver(
                    HostResolver.SYSTEM, context.configuration().senders().internalHosts()),
                context.configuration().senders().publicUrl()));
    DeliveryModule delivery =
        shutdown.add(
            new DeliveryModule(
                notifications.wiring(),
                devices.wiring(),
                channels,
                context.configuration().delivery()));
    StoredTemplates templates = new StoredTemplates(context.module().database());
    CampaignsModule campaigns =
        shutdown.add(
            new CampaignsModule(
                context, notifications.wiring(), templates, new SellersByOffers(offers.offers())));
    SendingModule sending =
        shutdown.add(
            new SendingModule(context, notifications.wiring(), templates, campaigns.campaigns()));
    FavoritesWiring favoritesCore = shutdown.add(FavoritesModule.core(context));
    LoginMergeModule loginMerge =
        shutdown.add(
            new LoginMergeModule(
                context,
                offers.offers(),
                notifications.wiring(),
                devices.wiring().merge(),
                favoritesCore));
    UnsubscribeModule unsubscribe =
        shutdown.add(new UnsubscribeModule(devices.wiring(), loginMerge.merges()));
    AlertsModule alerts =
        shutdown.add(
            new AlertsModule(
                context,
                offers.offers(),
                favoritesCore,
                loginMerge.merges(),
                notifications.wiring()));
    FavoritesModule favorites =
        shutdown.add(
            new FavoritesModule(
                context, offers.offers(), favoritesCore, loginMerge.wiring(), alerts.wiring()));
    PromotionsModule promotions =
        shutdown.add(new PromotionsModule(context, offers.offers(), notifications.wiring()));
    return new Modules(
        List.of(
            photos,
            offers,
            channels,
            notifications,
            campaigns,
            sending,
            devices,
            delivery,
            favorites,
            loginMerge,
            unsubscribe,
            alerts,
            promotions));
  }

  List<RpcBinding> rpcs() {
    return modules.stream().flatMap(module -> module.rpcs().stream()).toList();
  }

  List<HttpRoute> routes() {
    return modules.stream().flatMap(module -> module.routes().stream()).toList();
  }

  List<ReadinessCheck> checks() {
    return modules.stream().flatMap(module -> module.checks().stream()).toList();
  }

  void start(BackgroundRuntime runtime) {
    modules.forEach(module -> module.start(runtime));
  }

  void drain() {
    modules.forEach(Module::drain);
  }
}
