package dev.torg.favorites.wiring;

import dev.torg.favorites.LoginMergeStep;
import dev.torg.favorites.LoginMerges;
import dev.torg.favorites.merge.LoginMergeProcess;
import dev.torg.favorites.merge.LoginMergeService;
import dev.torg.favorites.merge.MergeAdmission;
import dev.torg.platform.db.Database;
import dev.torg.platform.identity.TokenService;
import dev.torg.platform.job.JobScheduler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// Builds the login merge from the steps of all modules.
public final class LoginMergeWiring {
  private final LoginMergeProcess process;
  private final TokenService tokens;

  /// @param steps in the order in which they run; the database stores the position of an unfinished merge, so
  ///     a change of the order needs a migration
  public LoginMergeWiring(
      Database database, List<LoginMergeStep> steps, TokenService tokens, InstantSource clock) {
    this.process = new LoginMergeProcess(database, steps, clock);
    this.tokens = tokens;
  }

  public LoginMerges merges() {
    return process;
  }

  LoginMergeService service(MergeAdmission admission) {
    return new LoginMergeService(tokens, process, admission);
  }

  /// Resumes merges whose process has ended.
  public void schedule(JobScheduler jobs) {
    jobs.every(
        Duration.ofSeconds(30),
        "favorites.moves",
        process::unfinished,
        (lease, now) -> process.resume(lease.homes(), now));
  }
}
