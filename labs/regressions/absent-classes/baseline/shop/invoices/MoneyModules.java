package shop.invoices;

/** Is one of the money libraries on the class path? */
final class MoneyModules {
    private static final String[] CLASSES = {"org.joda.money.Money", "javax.money.MonetaryAmount"};
    private static final boolean INSTALLED = look();

    private MoneyModules() {}

    static boolean installed() {
        return INSTALLED;
    }

    private static boolean look() {
        boolean found = false;
        for (String name : CLASSES) {
            found |= isPresent(name, MoneyModules.class.getClassLoader());
        }
        return found;
    }

    private static boolean isPresent(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
