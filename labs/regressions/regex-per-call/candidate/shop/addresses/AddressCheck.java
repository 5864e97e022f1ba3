package shop.addresses;

/** What an address has to look like. */
final class AddressCheck {
    private AddressCheck() {}

    static boolean postcode(String text) {
        return matches(text, "([A-Z]{1,2}-)?[0-9]{4,5}");
    }

    static boolean mail(String text) {
        return matches(text, "[\\p{Alnum}._-]+@[\\p{Alnum}-]+(\\.[\\p{Alnum}-]+)+");
    }

    private static boolean matches(String text, String pattern) {
        return text.matches(pattern);
    }
}
