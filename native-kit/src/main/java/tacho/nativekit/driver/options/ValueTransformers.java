package tacho.nativekit.driver.options;

import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What the builder's value transformers do with a value, by the simple names of their classes. */
public final class ValueTransformers {

    private static final Map<String, UnaryOperator<String>> BY_NAME = Map.of(
            "", UnaryOperator.identity(),
            "InitializationValueBuildTime", value -> toEach(value, ":build_time"),
            "InitializationValueRunTime", value -> toEach(value, ":run_time"),
            "Enable", value -> "+" + value,
            "Disable", value -> "-" + value);

    private ValueTransformers() {
    }

    public static boolean isKnown(String transformer) {
        return BY_NAME.containsKey(transformer);
    }

    static String transform(String transformer, String value) {
        return BY_NAME.get(transformer).apply(value);
    }

    private static String toEach(String list, String suffix) {
        return Arrays.stream(list.split(",", -1)).map(name -> name + suffix).collect(Collectors.joining(","));
    }
}
