package shop.search;

/** What is to be done before requests come. */
final class Start {
    private Start() {}

    static void up() {}
}
