package dev.torg.promotions.wiring;

import dev.torg.platform.identity.MessageAuthenticator;
import dev.torg.platform.job.JobScheduler;
import dev.torg.platform.module.ModuleContext;
import dev.torg.promotions.PaymentProviderSettings;
import dev.torg.promotions.SandboxCheckouts;
import dev.torg.promotions.provider.NoPaymentProvider;
import dev.torg.promotions.provider.PaymentProvider;
import dev.torg.promotions.provider.sandbox.SandboxWiring;
import dev.torg.promotions.provider.stripe.StripeProvider;
import java.util.Optional;

/// Builds the payment provider of an installation.
public final class ProviderWiring implements AutoCloseable {
  private final PaymentProvider provider;
  private final Optional<SandboxWiring> sandbox;

  public ProviderWiring(
      ModuleContext context, PaymentProviderSettings settings, MessageAuthenticator authenticator) {
    this.sandbox =
        settings instanceof PaymentProviderSettings.Sandbox values
            ? Optional.of(new SandboxWiring(context, values, authenticator))
            : Optional.empty();
    this.provider =
        switch (settings) {
          case PaymentProviderSettings.None _ -> new NoPaymentProvider();
          case PaymentProviderSettings.Sandbox _ -> sandbox.orElseThrow().provider();
          case PaymentProviderSettings.Stripe stripe -> new StripeProvider(stripe);
        };
  }

  public PaymentProvider provider() {
    return provider;
  }

  /// For the page; empty unless the sandbox is the provider.
  public Optional<SandboxCheckouts> sandbox() {
    return sandbox.map(SandboxWiring::checkouts);
  }

  /// In role jobs.
  public void schedule(JobScheduler jobs) {
    sandbox.ifPresent(wiring -> wiring.schedule(jobs));
  }

  @Override
  public void close() {
    sandbox.ifPresent(SandboxWiring::close);
  }
}
