package dev.torg.promotions;

import java.util.Map;

/// Why money is returned, as the payer reads it.
public final class RefundReasons {
  public static final String ALREADY_ACTIVE = "The service was already active.";
  public static final String OFFER_SOLD = "The offer was sold before the payment arrived.";
  public static final String OFFER_BANNED = "The offer was banned before the payment arrived.";
  public static final String OFFER_GONE = "The offer no longer exists.";
  public static final String BY_ADMIN = "Returned by the operator.";

  private static final Map<String, String> RUSSIAN =
      Map.of(
          ALREADY_ACTIVE, "Услуга уже была активна.",
          OFFER_SOLD, "Объявление продано до поступления платежа.",
          OFFER_BANNED, "Объявление заблокировано до поступления платежа.",
          OFFER_GONE, "Объявление больше не существует.",
          BY_ADMIN, "Возвращено оператором.");

  private RefundReasons() {}

  /// The reason in Russian; one that a person has written stays as it is.
  public static String russian(String reason) {
    return RUSSIAN.getOrDefault(reason, reason);
  }
}
