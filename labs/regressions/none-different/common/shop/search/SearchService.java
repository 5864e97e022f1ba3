package shop.search;

import front.Front;

/** Finds articles. */
public final class SearchService {
    public static void main(String[] arguments) {
        Start.up();
        Front.serve(arguments, 4, new SearchService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        Index index = new Index(Limits.most());
        for (int i = 0; i < 160; i++) {
            text.append(String.format("%4d %-30s%n", i, index.find("article " + i)));
        }
        return text.toString();
    }
}
