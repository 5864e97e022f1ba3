package nl.laadnet.points.tariff;

public final class Euro {

    private Euro() {
    }

    public static String format(int cents) {
        int rest = cents % 100;
        return "€ " + cents / 100 + (rest < 10 ? ",0" : ",") + rest;
    }
}
