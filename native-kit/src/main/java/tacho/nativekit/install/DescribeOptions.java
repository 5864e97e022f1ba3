package tacho.nativekit.install;

import java.util.List;
import java.util.ServiceLoader;

/**
 * Runs in the builder's own JVM and prints what its option descriptors say: name, type, whether it
 * belongs to the image, help. Reflective, so that the kit compiles without the builder's jars.
 */
public final class DescribeOptions {

    static final String DESCRIPTORS_MODULE = "jdk.graal.compiler";
    static final String DESCRIPTORS_PACKAGE = "jdk.graal.compiler.options";

    private DescribeOptions() {
    }

    public static void main(String[] none) throws ReflectiveOperationException {
        Class<?> type = Class.forName(DESCRIPTORS_PACKAGE + ".OptionDescriptors");
        DescribeOptions.class.getModule().addUses(type);
        for (Object descriptors : ServiceLoader.load(ModuleLayer.boot(), type)) {
            for (Object descriptor : (Iterable<?>) descriptors) {
                System.out.println(String.join("\t", (String) ask(descriptor, "getName"),
                        ((Class<?>) ask(descriptor, "getOptionValueType")).getSimpleName(),
                        Boolean.toString(isRuntimeKey(ask(descriptor, "getOptionKey"))), help(descriptor)));
            }
        }
    }

    private static Object ask(Object descriptor, String question) throws ReflectiveOperationException {
        return descriptor.getClass().getMethod(question).invoke(descriptor);
    }

    private static boolean isRuntimeKey(Object key) {
        for (Class<?> type = key.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getSimpleName().equals("RuntimeOptionKey")) {
                return true;
            }
        }
        return false;
    }

    private static String help(Object descriptor) throws ReflectiveOperationException {
        List<?> lines = (List<?>) ask(descriptor, "getHelp");
        return String.join(" ", lines.stream().map(Object::toString).toList()).replaceAll("\\s+", " ").strip();
    }
}
