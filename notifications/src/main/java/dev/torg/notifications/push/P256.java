package dev.torg.notifications.push;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;

/// Keys of the elliptic curve P-256 in their raw forms.
final class P256 {
  private static final int COORDINATE_BYTES = 32;
  private static final int POINT_BYTES = 1 + 2 * COORDINATE_BYTES;
  private static final byte UNCOMPRESSED = 4;

  static final ECParameterSpec CURVE = curve();

  private P256() {}

  private static ECParameterSpec curve() {
    try {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
      parameters.init(new ECGenParameterSpec("secp256r1"));
      return parameters.getParameterSpec(ECParameterSpec.class);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  /// @param point an uncompressed point; one that is not on the curve is refused
  static ECPublicKey publicKey(byte[] point) throws GeneralSecurityException {
    if (point.length != POINT_BYTES || point[0] != UNCOMPRESSED) {
      throw new GeneralSecurityException("not an uncompressed point of P-256");
    }
    BigInteger x = new BigInteger(1, point, 1, COORDINATE_BYTES);
    BigInteger y = new BigInteger(1, point, 1 + COORDINATE_BYTES, COORDINATE_BYTES);
    requireOnCurve(x, y);
    return (ECPublicKey)
        KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(new ECPoint(x, y), CURVE));
  }

  private static void requireOnCurve(BigInteger x, BigInteger y) throws GeneralSecurityException {
    BigInteger p = ((ECFieldFp) CURVE.getCurve().getField()).getP();
    BigInteger right =
        x.pow(3).add(CURVE.getCurve().getA().multiply(x)).add(CURVE.getCurve().getB());
    boolean isCanonical = x.compareTo(p) < 0 && y.compareTo(p) < 0;
    if (!isCanonical || !y.pow(2).subtract(right).mod(p).equals(BigInteger.ZERO)) {
      throw new GeneralSecurityException("not a point of P-256");
    }
  }

  static ECPrivateKey privateKey(byte[] number) throws GeneralSecurityException {
    BigInteger s = new BigInteger(1, number);
    if (s.signum() == 0 || s.compareTo(CURVE.getOrder()) >= 0) {
      throw new GeneralSecurityException("not a private key of P-256");
    }
    return (ECPrivateKey)
        KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(s, CURVE));
  }

  static byte[] encoded(ECPublicKey key) {
    byte[] point = new byte[POINT_BYTES];
    point[0] = UNCOMPRESSED;
    put(key.getW().getAffineX(), point, 1);
    put(key.getW().getAffineY(), point, 1 + COORDINATE_BYTES);
    return point;
  }

  private static void put(BigInteger number, byte[] into, int at) {
    byte[] bytes = number.toByteArray();
    int length = Math.min(bytes.length, COORDINATE_BYTES);
    System.arraycopy(bytes, bytes.length - length, into, at + COORDINATE_BYTES - length, length);
  }
}
