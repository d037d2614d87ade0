package dev.torg.notifications.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class WebPushEncryptionTest {
  private static final String AUTH = "BTBZMqHH6r4Tts7J_aSIgg";
  private static final String BROWSER_PUBLIC =
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
  private static final String BROWSER_PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";

  private static byte[] decode(String base64) {
    return Base64.getUrlDecoder().decode(base64);
  }

  /// Section 5 of RFC 8291.
  @Test
  void encrypt_exampleOfRfc8291_isReproduced() throws Exception {
    KeyPair sender =
        new KeyPair(
            P256.publicKey(
                decode(
                    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")),
            P256.privateKey(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")));
    byte[] encrypted =
        WebPushEncryption.encrypt(
            "When I grow up, I want to be a watermelon".getBytes(StandardCharsets.UTF_8),
            decode(BROWSER_PUBLIC),
            decode(AUTH),
            sender,
            decode("DGv6ra1nlYgDCS1FRnbzlw"));
    assertThat(Base64.getUrlEncoder().withoutPadding().encodeToString(encrypted))
        .isEqualTo(
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc"
                + "InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyou"
                + "BWLVWGNWQexSgSxsj_Qulcy4a-fN");
  }

  @Test
  void encrypt_longestContent_isDecryptedAndFits() throws Exception {
    byte[] plaintext = "x".repeat(WebPushEncryption.MAX_PLAINTEXT).getBytes(StandardCharsets.UTF_8);
    byte[] encrypted =
        new WebPushEncryption().encrypt(plaintext, decode(BROWSER_PUBLIC), decode(AUTH));
    assertThat(encrypted).hasSize(4096);
    assertThat(
            WebPushDecryption.decrypt(
                encrypted, decode(BROWSER_PRIVATE), decode(BROWSER_PUBLIC), decode(AUTH)))
        .isEqualTo(plaintext);
  }

  @Test
  void encrypt_twice_usesAnotherKeyAndSalt() throws Exception {
    WebPushEncryption encryption = new WebPushEncryption();
    byte[] first = encryption.encrypt(new byte[10], decode(BROWSER_PUBLIC), decode(AUTH));
    byte[] second = encryption.encrypt(new byte[10], decode(BROWSER_PUBLIC), decode(AUTH));
    assertThat(java.util.Arrays.copyOf(first, 16))
        .isNotEqualTo(java.util.Arrays.copyOf(second, 16));
    assertThat(java.util.Arrays.copyOfRange(first, 21, 86))
        .isNotEqualTo(java.util.Arrays.copyOfRange(second, 21, 86));
  }

  @Test
  void publicKey_pointOffTheCurve_isRefused() {
    byte[] point = decode(BROWSER_PUBLIC);
    point[64] ^= 1;
    assertThatThrownBy(() -> P256.publicKey(point)).isInstanceOf(GeneralSecurityException.class);
    assertThatThrownBy(() -> P256.publicKey(new byte[65]))
        .isInstanceOf(GeneralSecurityException.class);
  }
}
