package shop.catalogue;

import front.Front;
import java.util.List;
import java.util.stream.IntStream;

/** The catalogue as JSON. */
public final class CatalogueService {
    private static final List<Item> ITEMS = IntStream.range(0, 400)
            .mapToObj(number -> new Item("item " + number, 99 + 17 * number, number % 3 == 0)).toList();
    private final CatalogueWriter writer = new CatalogueWriter();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new CatalogueService()::page);
    }

    String page() {
        return writer.write(ITEMS);
    }
}
