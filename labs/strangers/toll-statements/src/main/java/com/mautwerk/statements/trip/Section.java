package com.mautwerk.statements.trip;

/** A stretch of motorway between two gantries. */
public enum Section {

    A1_WIEN_STPOELTEN("A1", "Wien", "St. Pölten", 58_300),
    A1_STPOELTEN_LINZ("A1", "St. Pölten", "Linz", 121_700),
    A1_LINZ_SALZBURG("A1", "Linz", "Salzburg", 127_450),
    A2_WIEN_GRAZ("A2", "Wien", "Graz", 192_800),
    A2_GRAZ_KLAGENFURT("A2", "Graz", "Klagenfurt", 135_100),
    A9_SPIELFELD_GRAZ("A9", "Spielfeld", "Graz", 44_900),
    A10_SALZBURG_VILLACH("A10", "Salzburg", "Villach", 189_600),
    A12_KUFSTEIN_INNSBRUCK("A12", "Kufstein", "Innsbruck", 74_200),
    A13_INNSBRUCK_BRENNER("A13", "Innsbruck", "Brenner", 36_150);

    private final String road;
    private final String from;
    private final String to;
    private final int metres;

    Section(String road, String from, String to, int metres) {
        this.road = road;
        this.from = from;
        this.to = to;
        this.metres = metres;
    }

    public String label() {
        return road + " " + from + " - " + to;
    }

    public int metres() {
        return metres;
    }

    public boolean isAlpine() {
        return this == A10_SALZBURG_VILLACH || this == A13_INNSBRUCK_BRENNER;
    }
}
