package ch.grundbuch.extracts.extract;

import jakarta.inject.Singleton;

/** What an extract costs. */
@Singleton
public class FeeTable {

    private static final int BASE = 20;
    private static final int PER_ENTRY = 3;
    private static final int MAXIMUM = 60;

    public int fee(int entries, boolean certified) {
        int fee = Math.min(MAXIMUM, BASE + PER_ENTRY * entries);
        return certified ? fee + 25 : fee;
    }
}
