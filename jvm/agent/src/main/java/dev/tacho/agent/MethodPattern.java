package dev.tacho.agent;

import java.util.ArrayList;
import java.util.List;

/** Methods by class and name; {@code *} is any text. */
final class MethodPattern {
    /** As it was asked for. */
    final String className;
    /** Class and first method: several patterns may name different methods of one class. */
    final String name;
    final boolean subtypes;
    private final Glob classes;
    private final List<Glob> methods = new ArrayList<>();

    MethodPattern(Request request) {
        className = request.text("class");
        subtypes = request.flag("subtypes");
        classes = new Glob(className);
        for (String method : request.texts("methods")) {
            // A descriptor is meant literally, but for its stars.
            methods.add(new Glob(method.indexOf('(') < 0 ? method + "(*" : method));
        }
        if (methods.isEmpty()) {
            throw new IllegalArgumentException("no methods of " + className + " are named");
        }
        name = className + "." + request.texts("methods").get(0);
    }

    /** Without subtypes. */
    boolean namesClass(String name) {
        return classes.matches(name);
    }

    boolean namesMethod(String name, String descriptor) {
        String whole = name + descriptor;
        for (Glob method : methods) {
            if (method.matches(whole)) {
                return !name.equals("<clinit>");
            }
        }
        return false;
    }
}
