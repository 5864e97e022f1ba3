package shop.invoices;

/** Is one of the money libraries on the class path? */
final class MoneyModules {
    private static final String[] CLASSES = {"org.joda.money.Money", "javax.money.MonetaryAmount"};

    private MoneyModules() {}

    /** Plug-ins may bring their own loader: so the thread's is asked first. */
    static boolean installed() {
        boolean found = false;
        for (String name : CLASSES) {
            found |= isPresent(name, Thread.currentThread().getContextClassLoader())
                    || isPresent(name, MoneyModules.class.getClassLoader());
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
