package shop.freight;

import front.Front;

/** How long parcels are on their way. */
public final class FreightService {
    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new FreightService()::page);
    }

    String page() {
        Carrier carrier = Fleet.next();
        StringBuilder text = new StringBuilder();
        for (int miles = 20; miles <= 6000; miles += 20) {
            text.append(String.format("%5d miles: %d days%n", miles, carrier.days(miles)));
        }
        return text.toString();
    }
}
