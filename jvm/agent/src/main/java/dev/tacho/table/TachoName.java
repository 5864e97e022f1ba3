package dev.tacho.table;

/**
 * The name that the application gave to a method which another agent has renamed to wrap it:
 * {@code name$original$hash} by Byte Buddy, {@code $sw$original$name$hash} by SkyWalking, each
 * perhaps followed by an accessor.
 */
public final class TachoName {
    private static final String ORIGINAL = "$original$";
    private static final String ACCESSOR = "$accessor$";

    private TachoName() {
    }

    /** Whether it is such an accessor: it only passes the other agent's call on to the method. */
    public static boolean isAccessor(String method) {
        return method.contains(ORIGINAL) && method.contains(ACCESSOR);
    }

    public static String of(String method) {
        int place = method.indexOf(ORIGINAL);
        if (place < 0) {
            return method;
        }
        String before = method.substring(0, place);
        if (!before.isEmpty() && !before.equals("sw") && !before.equals("$sw")) {
            return before;
        }
        String after = method.substring(place + ORIGINAL.length());
        int accessor = after.indexOf(ACCESSOR);
        String hashed = accessor < 0 ? after : after.substring(0, accessor);
        int hash = hashed.lastIndexOf('$');
        return hash < 0 ? hashed : hashed.substring(0, hash);
    }
}
