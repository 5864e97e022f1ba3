package dev.tacho.table;

/** A stack, each of them once, so that two are the same when they are the same object. */
public final class TachoStack {
    /** Classes, or their names where the JVM gives only names (JDK 8). */
    final Object[] classes;
    final String[] methods;
    /** Bytecode indices, or line numbers on JDK 8. */
    final int[] places;
    final int hash;
    /** {@code package.Class.method:line}, innermost first. */
    public final String[] frames;

    TachoStack(Object[] classes, String[] methods, int[] places, int hash, String[] frames) {
        this.classes = classes;
        this.methods = methods;
        this.places = places;
        this.hash = hash;
        this.frames = frames;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (other instanceof TachoStack) {
            TachoStack that = (TachoStack) other;
            return hash == that.hash && same(that.classes, that.methods, that.places, that.classes.length);
        }
        // A walk looks itself up, so that only a stack that is new is copied.
        if (other instanceof TachoWalk) {
            TachoWalk that = (TachoWalk) other;
            return hash == that.hashCode() && same(that.classes, that.methods, that.places, that.length());
        }
        return false;
    }

    boolean same(Object[] otherClasses, String[] otherMethods, int[] otherPlaces, int length) {
        if (length != classes.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (places[i] != otherPlaces[i] || !classes[i].equals(otherClasses[i]) || !methods[i].equals(otherMethods[i])) {
                return false;
            }
        }
        return true;
    }
}
