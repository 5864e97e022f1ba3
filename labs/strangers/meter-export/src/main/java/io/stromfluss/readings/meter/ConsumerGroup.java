package io.stromfluss.readings.meter;

/** Groups of consumers with their share of the daily consumption in each hour, in per mille. */
public enum ConsumerGroup {

    HOUSEHOLD(9_600,
            18, 14, 12, 11, 12, 18, 34, 46, 45, 42, 41, 44, 52, 48, 42, 40, 44, 56, 72, 78, 70, 56, 40, 25),
    SHOP(31_000,
            14, 13, 13, 13, 14, 17, 25, 44, 62, 70, 72, 72, 68, 66, 68, 70, 70, 68, 60, 44, 26, 18, 16, 15),
    BAKERY(54_000,
            52, 68, 80, 84, 82, 78, 70, 60, 52, 46, 42, 38, 34, 30, 26, 24, 22, 20, 16, 14, 12, 14, 16, 20),
    HEAT_PUMP(22_500,
            52, 52, 54, 56, 58, 60, 56, 46, 38, 32, 28, 26, 26, 26, 28, 30, 34, 40, 44, 46, 46, 44, 40, 38);

    private final int wattHoursPerDay;
    private final int[] perMilleByHour;

    ConsumerGroup(int wattHoursPerDay, int... perMilleByHour) {
        if (perMilleByHour.length != 24) {
            throw new IllegalArgumentException("24 hours expected");
        }
        this.wattHoursPerDay = wattHoursPerDay;
        this.perMilleByHour = perMilleByHour;
    }

    public double wattHoursInQuarterOf(int hour) {
        return wattHoursPerDay * perMilleByHour[hour] / 4_000.0;
    }
}
