package dev.torg.promotions;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// Who takes the money of payments in this installation.
public sealed interface PaymentProviderSettings {
  /// No provider: payments are refused.
  record None() implements PaymentProviderSettings {}

  /// The built-in provider, which takes no money.
  ///
  /// @param publicUrl below which its pages are
  /// @param webhookUrl what it calls
  /// @param webhookSecret signs its calls, `whsec_…`; empty: derived from the installation's keys
  /// @param calls how often and when it calls
  record Sandbox(
      String publicUrl, URI webhookUrl, Optional<String> webhookSecret, SandboxCalls calls)
      implements PaymentProviderSettings {
    @Override
    public String toString() {
      return "Sandbox[" + webhookUrl + ", " + calls + "]";
    }
  }

  /// Stripe, with the operator's account.
  ///
  /// @param apiUrl of Stripe
  /// @param key the secret key of the account
  /// @param webhookSecret of the webhook endpoint that was registered at Stripe
  /// @param returnUrl where a payer goes who was given no other address
  record Stripe(URI apiUrl, String key, String webhookSecret, String returnUrl)
      implements PaymentProviderSettings {
    @Override
    public String toString() {
      return "Stripe[" + apiUrl + "]";
    }
  }

  /// How the sandbox calls the webhook. An installation must produce the same result whatever these are.
  ///
  /// @param repeats further calls for each event
  /// @param delay before each call
  /// @param shuffle whether each call waits for a random time instead, so that events arrive in any order
  record SandboxCalls(int repeats, Duration delay, boolean shuffle) {
    public static SandboxCalls defaults() {
      return new SandboxCalls(0, Duration.ZERO, false);
    }
  }
}
