package shop.addresses;

import java.util.regex.Pattern;

/** What an address has to look like. */
final class AddressCheck {
    private static final Pattern POSTCODE = Pattern.compile("([A-Z]{1,2}-)?[0-9]{4,5}");
    private static final Pattern MAIL = Pattern.compile("[\\p{Alnum}._-]+@[\\p{Alnum}-]+(\\.[\\p{Alnum}-]+)+");

    private AddressCheck() {}

    static boolean postcode(String text) {
        return POSTCODE.matcher(text).matches();
    }

    static boolean mail(String text) {
        return MAIL.matcher(text).matches();
    }
}
