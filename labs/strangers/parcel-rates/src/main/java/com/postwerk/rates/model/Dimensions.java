package com.postwerk.rates.model;

public record Dimensions(int length, int width, int height) {

    public static final Dimensions SHOE_BOX = new Dimensions(32, 20, 12);

    /** Reads {@code 60x40x30} (centimetres). */
    public static Dimensions parse(String text) {
        if (text == null || text.isBlank()) {
            return SHOE_BOX;
        }
        String[] sides = text.split("x");
        if (sides.length != 3) {
            throw new InvalidParcel("not three sides: " + text);
        }
        try {
            return new Dimensions(Integer.parseInt(sides[0]), Integer.parseInt(sides[1]), Integer.parseInt(sides[2]));
        } catch (NumberFormatException e) {
            throw new InvalidParcel("not three sides: " + text);
        }
    }

    public int cubicCentimetres() {
        return length * width * height;
    }

    public int girth() {
        return length + 2 * width + 2 * height;
    }
}
