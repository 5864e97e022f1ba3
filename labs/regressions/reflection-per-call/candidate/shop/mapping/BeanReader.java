package shop.mapping;

import java.lang.reflect.Method;
import java.util.List;

/** Reads what a bean has. */
final class BeanReader {
    private static final List<String> GETTERS =
            List.of("getFirst", "getLast", "getStreet", "getTown", "getPostcode", "getCountry");

    private BeanReader() {}

    static List<Object> values(Customer customer) {
        return GETTERS.stream().map(name -> value(getter(name), customer)).toList();
    }

    private static Method getter(String name) {
        for (Method method : Customer.class.getMethods()) {
            if (method.getName().equals(name)) {
                return method;
            }
        }
        throw new IllegalStateException("there is no " + name);
    }

    private static Object value(Method getter, Customer customer) {
        try {
            return getter.invoke(customer);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
