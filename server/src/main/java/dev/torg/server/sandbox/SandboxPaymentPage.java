package dev.torg.server.sandbox;

import com.google.common.html.HtmlEscapers;
import dev.torg.platform.Money;
import dev.torg.promotions.SandboxCheckout;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Locale;
import java.util.stream.Collectors;

/// The page of a payment: what is paid for, and the buttons. It loads nothing and contains no script.
final class SandboxPaymentPage {
  private static final String HTML =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>%1$s</title>
      <style>
      :root { color-scheme: light dark; --line: #8884; }
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText;
             font: 1rem/1.5 system-ui, sans-serif; }
      main { box-sizing: border-box; width: min(28rem, 100%% - 2rem); margin: 1rem 0; border: 1px solid var(--line);
             border-radius: .75rem; overflow: hidden; }
      .test { padding: .5rem 1.5rem; background: #fde68a; color: #78350f; font-size: .875rem; font-weight: 600; }
      .content { padding: 1.5rem; }
      h1 { margin: 0; font-size: 1.4rem; line-height: 1.3; }
      .description { margin: .25rem 0 0; opacity: .75; overflow-wrap: anywhere; }
      table { width: 100%%; margin: 1.25rem 0; border-collapse: collapse; }
      th, td { padding: .5rem 0; border-top: 1px solid var(--line); text-align: left; font-weight: 400;
               vertical-align: top; }
      th { padding-right: 1rem; overflow-wrap: anywhere; }
      td { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
      tfoot th, tfoot td { font-weight: 700; }
      form { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
      button { flex: 1; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent;
               color: inherit; font: inherit; font-weight: 600; white-space: nowrap; cursor: pointer; }
      button.pay { flex: 2; border-color: #0b5cd5; background: #0b5cd5; color: #fff; }
      button:focus-visible { outline: 3px solid #0b5cd580; outline-offset: 2px; }
      .status { margin: 0; padding: .75rem 1rem; border-radius: .5rem; background: #8882; font-weight: 600; }
      .PAID { background: #dcfce7; color: #14532d; }
      .DECLINED { margin-bottom: 1rem; background: #fee2e2; color: #7f1d1d; }
      .return { display: inline-block; margin-top: 1rem; }
      .id { margin: 1.25rem 0 0; opacity: .75; font-size: .8rem; overflow-wrap: anywhere; }
      </style>
      </head>
      <body>
      <main>
      <div class="test">Sandbox: no money is charged</div>
      <div class="content">
      <h1>%1$s</h1>
      %2$s<table>
      <tbody>
      %3$s
      </tbody>
      <tfoot><tr><th scope="row">Total</th><td>%4$s</td></tr></tfoot>
      </table>
      %5$s%6$s<p class="id">Payment %7$s</p>
      </div>
      </main>
      </body>
      </html>
      """;

  private static final String LINE = "<tr><th scope=\"row\">%s</th><td>%s</td></tr>";

  private static final String FORM = "<form method=\"post\">\n%s</form>\n";

  private static final String PAY =
      "<button class=\"pay\" type=\"submit\" formaction=\"/sandbox/payments/%s:pay\">Pay %s</button>\n";

  private static final String DECLINE =
      "<button type=\"submit\" formaction=\"/sandbox/payments/%s:decline\">Decline</button>\n";

  private static final String STATUS = "<p class=\"status %s\" role=\"status\">%s</p>\n";

  private SandboxPaymentPage() {}

  static String render(SandboxCheckout checkout) {
    return HTML.formatted(
        title(checkout.status()),
        description(checkout.description()),
        checkout.lines().stream()
            .map(line -> LINE.formatted(escape(line.label()), amount(line.amount())))
            .collect(Collectors.joining("\n")),
        amount(checkout.total()),
        state(checkout),
        returnLink(checkout),
        checkout.id());
  }

  private static String title(SandboxCheckout.Status status) {
    return switch (status) {
      case PENDING -> "Your payment";
      case DECLINED -> "Payment declined";
      case PAID -> "Payment complete";
      case REFUNDED -> "Payment refunded";
    };
  }

  private static String description(String text) {
    return text.isBlank() ? "" : "<p class=\"description\">" + escape(text) + "</p>\n";
  }

  private static String state(SandboxCheckout checkout) {
    String pay = PAY.formatted(checkout.id(), amount(checkout.total()));
    return switch (checkout.status()) {
      case PENDING -> FORM.formatted(pay + DECLINE.formatted(checkout.id()));
      case DECLINED -> status(checkout, "Declined. You can try again.") + FORM.formatted(pay);
      case PAID -> status(checkout, paid(checkout));
      case REFUNDED -> status(checkout, "All of it was refunded.");
    };
  }

  private static String paid(SandboxCheckout checkout) {
    return checkout.refunded() == 0
        ? "Paid. You can close this page."
        : "Paid. %s of it was refunded."
            .formatted(amount(new Money(checkout.refunded(), checkout.total().currency())));
  }

  private static String status(SandboxCheckout checkout, String text) {
    return STATUS.formatted(checkout.status(), text);
  }

  /// Other schemes, such as `javascript:`, are no addresses of pages.
  private static String returnLink(SandboxCheckout checkout) {
    String url = checkout.returnUrl();
    boolean isPage = url.startsWith("https://") || url.startsWith("http://");
    return isPage && checkout.status() != SandboxCheckout.Status.PENDING
        ? "<a class=\"return\" rel=\"noreferrer\" href=\"%s\">Return to the seller</a>\n"
            .formatted(escape(url))
        : "";
  }

  private static String amount(Money money) {
    int digits = Currency.getInstance(money.currency()).getDefaultFractionDigits();
    return String.format(
        Locale.ROOT,
        "%,." + digits + "f %s",
        BigDecimal.valueOf(money.amount(), digits),
        money.currency());
  }

  private static String escape(String text) {
    return HtmlEscapers.htmlEscaper().escape(text);
  }
}
