package shop.mapping;

import front.Front;

/** Customers as others want to see them. */
public final class MappingService {
    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new MappingService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            Customer customer = new Customer("first " + i, "last " + i, "street " + i, "town", "10" + i, "country");
            text.append(i);
            BeanReader.values(customer).forEach(value -> text.append(" ").append(value));
            text.append('\n');
        }
        return text.toString();
    }
}
