package fi.kirjasto.holds.estimate;

import java.util.EnumMap;
import java.util.Map;

import fi.kirjasto.holds.catalogue.MediaKind;

/** How fast the queue before a hold moves, by the kind of medium. */
@FunctionalInterface
interface QueuePace {

    int days(int rounds, int loanDays);

    static Map<MediaKind, QueuePace> standard() {
        Map<MediaKind, QueuePace> paces = new EnumMap<>(MediaKind.class);
        paces.put(MediaKind.BOOK, (rounds, loanDays) -> rounds * loanDays * 3 / 4);
        paces.put(MediaKind.MAGAZINE, (rounds, loanDays) -> rounds * loanDays / 2);
        paces.put(MediaKind.GAME, (rounds, loanDays) -> rounds * loanDays);
        paces.put(MediaKind.AUDIO, (rounds, loanDays) -> rounds * loanDays * 2 / 3 + 1);
        return paces;
    }
}
