package tacho.checks.topics;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Arithmetic. */
final class Numbers implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check(
                "numbers.decimals",
                "0.30 3.3333333333 1.4142135623730950488",
                () -> new BigDecimal("0.1").add(new BigDecimal("0.2")).setScale(2, RoundingMode.UNNECESSARY) + " "
                        + BigDecimal.TEN.divide(BigDecimal.valueOf(3), 10, RoundingMode.HALF_EVEN)
                        + " " + BigDecimal.TWO.sqrt(new MathContext(20)));
        checks.check("numbers.great", "2658455991569831745807614120560689152 true", () -> {
            BigInteger great = BigInteger.TWO.pow(121);
            return great + " " + great.subtract(BigInteger.ONE).gcd(great).equals(BigInteger.ONE);
        });
        checks.check(
                "numbers.prime",
                true,
                () -> BigInteger.TWO.pow(127).subtract(BigInteger.ONE).isProbablePrime(50));
        checks.check(
                "numbers.floating point in text",
                "0.002 1.0E23 4.9E-324 0x1.8p1",
                () -> 2.0e-3 + " " + 2.0e23 / 2 + " " + Double.MIN_VALUE + " " + Double.toHexString(3.0));
        checks.check("numbers.overflow", "-2147483648 ArithmeticException / by zero", () -> {
            int over = Integer.MAX_VALUE + Integer.parseInt("1");
            try {
                return over / Integer.parseInt("0");
            } catch (ArithmeticException e) {
                return over + " ArithmeticException " + e.getMessage();
            }
        });
        checks.alike(
                "numbers.functions",
                () -> StrictMath.sin(1) + " " + StrictMath.exp(1) + " " + Math.fma(2.0, 3.0, 0.5) + " "
                        + StrictMath.pow(2, 0.5) + " " + Math.cbrt(27) + " " + Math.floorMod(-7, 3));
        checks.check(
                "numbers.narrowed",
                "2147483647 0 -128 ffffffff 4294967295",
                () -> (int) 1e20 + " " + (int) Double.NaN + " " + (byte) 128 + " " + Integer.toHexString(-1) + " "
                        + Integer.toUnsignedString(-1));
    }
}
