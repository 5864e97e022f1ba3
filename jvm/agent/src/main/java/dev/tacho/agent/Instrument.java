package dev.tacho.agent;

import dev.tacho.table.TachoConfig;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.MethodVisitor;

/** What is put into methods. */
interface Instrument {
    /** The methods that it goes into; {@link #weave} gets the indices of those that match. */
    List<MethodPattern> patterns();

    /** How a pattern is called in a reply. */
    String name(int pattern);

    /** Writes a method with the instrument in it. */
    MethodVisitor weave(MethodVisitor out, Method method, List<Integer> patterns);

    /** Where its calls go. */
    TachoConfig config();

    /** Whether a pattern also means the method that another agent has renamed to wrap it. */
    default boolean followsRenamed() {
        return false;
    }

    /** Whether it can do with less code in a method that would become too large. */
    default boolean canBeBrief() {
        return false;
    }

    /** Called again and again: an instrument that would cost too much lowers itself. */
    default void keepWithin() {
    }

    /** What it has seen, an object a line. */
    List<Map<String, Object>> snapshot();
}
