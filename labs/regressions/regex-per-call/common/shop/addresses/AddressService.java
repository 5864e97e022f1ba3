package shop.addresses;

import front.Front;

/** Which addresses can be delivered to. */
public final class AddressService {
    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new AddressService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            String postcode = i % 5 == 0 ? "postcode " + i : "" + (10_000 + i * 37);
            String mail = i % 7 == 0 ? "nobody" : "buyer." + i + "@example.org";
            boolean good = AddressCheck.postcode(postcode) && AddressCheck.mail(mail);
            text.append(postcode).append(" ").append(mail).append(good ? " yes\n" : " no\n");
        }
        return text.toString();
    }
}
