package shop.loyalty;

/** Where the service finds its statement. */
final class Statements {
    private Statements() {}

    static Statement standing() {
        return new Statement(new PointRules());
    }
}
