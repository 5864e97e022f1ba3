package tacho.nativekit.driver.builder;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/**
 * The most memory that any process had which this one started and waited for: getrusage(2) for
 * children. Java itself does not tell.
 */
final class PeakMemory {

    private static final int RUSAGE_CHILDREN = -1;
    private static final long SIZE_OF_RUSAGE = 144;
    private static final long OFFSET_OF_MAXRSS = 32;

    private PeakMemory() {
    }

    /** In bytes. */
    @SuppressWarnings("restricted") // bin/native-image allows it with --enable-native-access
    static OptionalLong ofChildren() {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle getrusage = linker.downcallHandle(linker.defaultLookup().find("getrusage").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
            MemorySegment usage = arena.allocate(SIZE_OF_RUSAGE);
            int result = (int) getrusage.invokeExact(RUSAGE_CHILDREN, usage);
            return result == 0 ? OptionalLong.of(usage.get(ValueLayout.JAVA_LONG, OFFSET_OF_MAXRSS) * 1024)
                    : OptionalLong.empty();
        } catch (Throwable unavailable) {
            return OptionalLong.empty();
        }
    }
}
