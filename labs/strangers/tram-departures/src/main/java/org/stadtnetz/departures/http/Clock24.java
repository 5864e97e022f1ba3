package org.stadtnetz.departures.http;

/** Minutes of a day as people write them. */
final class Clock24 {

    private static final int DAY = 24 * 60;

    private Clock24() {
    }

    static String text(int minuteOfDay) {
        int minute = Math.floorMod(minuteOfDay, DAY);
        StringBuilder text = new StringBuilder(5);
        two(text, minute / 60);
        text.append(':');
        two(text, minute % 60);
        return text.toString();
    }

    private static void two(StringBuilder text, int number) {
        text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    /** The minute of the day, or -1 if it is not written as 08:15. */
    static int parse(String text) {
        if (text == null || text.length() != 5 || text.charAt(2) != ':') {
            return -1;
        }
        try {
            int hour = Integer.parseInt(text.substring(0, 2));
            int minute = Integer.parseInt(text.substring(3));
            return hour > 23 || minute > 59 ? -1 : hour * 60 + minute;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
