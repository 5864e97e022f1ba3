package ie.greenbasket.assortment;

public final class ArticleNumbers {

    private ArticleNumbers() {
    }

    /** The EAN-13 of the n-th article under our own prefix. */
    public static String own(int number) {
        String digits = "539" + String.format("%09d", 1200 + number * 7L);
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            int digit = digits.charAt(i) - '0';
            sum += i % 2 == 0 ? digit : digit * 3;
        }
        return digits + (10 - sum % 10) % 10;
    }
}
