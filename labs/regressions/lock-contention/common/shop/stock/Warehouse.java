package shop.stock;

/** Far away: an answer takes two milliseconds. */
final class Warehouse {
    int count(int article) {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 100 + article;
    }
}
