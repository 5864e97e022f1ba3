package shop.mapping;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

/** Reads what a bean has. */
final class BeanReader {
    private static final List<Method> GETTERS = Stream
            .of("getFirst", "getLast", "getStreet", "getTown", "getPostcode", "getCountry")
            .map(BeanReader::getter).toList();

    private BeanReader() {}

    static List<Object> values(Customer customer) {
        return GETTERS.stream().map(getter -> value(getter, customer)).toList();
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
