package dev.torg.server.run;

import dev.torg.alerts.merge.AlertsMergeSteps;
import dev.torg.alerts.merge.BellMergeStep;
import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.LoginMerges;
import dev.torg.favorites.wiring.FavoritesWiring;
import dev.torg.favorites.wiring.LoginMergeWiring;
import dev.torg.notifications.merge.DevicesMerge;
import dev.torg.notifications.wiring.NotificationsWiring;
import dev.torg.offers.Offers;
import dev.torg.platform.module.ModuleContext;
import dev.torg.server.config.Role;
import java.util.ArrayList;
import java.util.List;

/// The login merge. It owns the order of the steps, which come from alerts, notifications and favorites.
/// Role jobs resumes merges whose process has ended.
final class LoginMergeModule implements Module {
  /// Entries of the bell per page: a few transactions of some milliseconds.
  private static final int BELL_PAGE_SIZE = 500;

  private final LoginMergeWiring wiring;

  LoginMergeModule(
      ProcessContext context,
      Offers offers,
      NotificationsWiring notifications,
      DevicesMerge devices,
      FavoritesWiring favorites) {
    ModuleContext module = context.module();
    AlertsMergeSteps alerts =
        new AlertsMergeSteps(module.database(), notifications.settings(), module.clock());
    List<LoginMergeStep> steps = new ArrayList<>(alerts.before());
    steps.add(BellMergeStep.step(notifications.merge(), offers, BELL_PAGE_SIZE));
    steps.add(LoginMergeStep.named("devices", devices::page));
    steps.add(favorites.mergeStep());
    steps.addAll(alerts.after());
    wiring = new LoginMergeWiring(module.database(), steps, context.tokens(), module.clock());
  }

  LoginMerges merges() {
    return wiring.merges();
  }

  LoginMergeWiring wiring() {
    return wiring;
  }

  @Override
  public void start(BackgroundRuntime background) {
    if (background.does(Role.JOBS)) {
      wiring.schedule(background.jobs());
    }
  }

  /// Nothing to close: the core of favorites closes itself.
  @Override
  public void close() {}
}
