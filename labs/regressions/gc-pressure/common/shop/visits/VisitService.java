package shop.visits;

import front.Front;

/** What a visitor gets to see. */
public final class VisitService {
    private final VisitLog log = new VisitLog();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new VisitService()::page);
    }

    String page() {
        return "pages seen: " + log.remember(700) + "\n" + "The shop is open from nine to five.\n";
    }
}
