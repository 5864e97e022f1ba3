package dev.tacho.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Methods by class and name; {@code *} is any text. */
final class MethodPattern {
    /** As it was asked for. */
    final String className;
    final boolean subtypes;
    private final Pattern classes;
    private final List<Pattern> methods = new ArrayList<>();

    MethodPattern(Request request) {
        className = request.text("class");
        subtypes = request.flag("subtypes");
        classes = glob(className);
        for (String method : request.texts("methods")) {
            // A descriptor is meant literally, but for its stars.
            methods.add(glob(method.indexOf('(') < 0 ? method + "(*" : method));
        }
        if (methods.isEmpty()) {
            throw new IllegalArgumentException("no methods of " + className + " are named");
        }
    }

    private static Pattern glob(String text) {
        StringBuilder expression = new StringBuilder();
        for (String piece : text.split("\\*", -1)) {
            expression.append(expression.length() == 0 ? "" : ".*").append(piece.isEmpty() ? "" : Pattern.quote(piece));
            if (expression.length() == 0) {
                expression.append("(?:)");
            }
        }
        return Pattern.compile(expression.toString(), Pattern.DOTALL);
    }

    /** Without subtypes. */
    boolean namesClass(String name) {
        return classes.matcher(name).matches();
    }

    boolean namesMethod(String name, String descriptor) {
        String whole = name + descriptor;
        for (Pattern method : methods) {
            if (method.matcher(whole).matches()) {
                return !name.equals("<clinit>");
            }
        }
        return false;
    }
}
