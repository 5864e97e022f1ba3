package dev.tacho.agent;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;

/**
 * How much code the methods of a class have. HotSpot does not compile one that has more than a
 * limit ({@code HugeMethodLimit}, by {@code DontCompileHugeMethods}): it is interpreted for ever.
 */
final class CodeSizes {
    static final int LIMIT = 8000;

    private final ClassReader reader;
    private final char[] buffer;
    private final Map<String, Integer> sizes = new HashMap<>();
    private int at;

    private CodeSizes(ClassReader reader) {
        this.reader = reader;
        this.buffer = new char[reader.getMaxStringLength()];
    }

    /** By name and descriptor; those without code are not among them. */
    static Map<String, Integer> of(ClassReader reader) {
        CodeSizes read = new CodeSizes(reader);
        // The access flags, the class, its superclass, and the interfaces.
        read.at = reader.header + 8 + 2 * reader.readUnsignedShort(reader.header + 6);
        read.members();
        read.members();
        return read.sizes;
    }

    /** Of these methods the ones that were within the limit, and are not any more. */
    static Set<String> outgrown(ClassReader before, byte[] after, Set<String> methods) {
        Set<String> outgrown = new HashSet<>();
        // Most classes are smaller than that as a whole.
        if (after.length > LIMIT) {
            Map<String, Integer> were = of(before);
            Map<String, Integer> are = of(new ClassReader(after));
            for (String method : methods) {
                if (were.getOrDefault(method, 0) <= LIMIT && are.getOrDefault(method, 0) > LIMIT) {
                    outgrown.add(method);
                }
            }
        }
        return outgrown;
    }

    /** The fields, then the methods (JVMS 4.5, 4.6); no field has code. */
    private void members() {
        int count = reader.readUnsignedShort(at);
        at += 2;
        for (int i = 0; i < count; i++) {
            String member = reader.readUTF8(at + 2, buffer) + reader.readUTF8(at + 4, buffer);
            int attributes = reader.readUnsignedShort(at + 6);
            at += 8;
            for (int j = 0; j < attributes; j++) {
                if ("Code".equals(reader.readUTF8(at, buffer))) {
                    // After the name, the length of all of it, the stack and the variables.
                    sizes.put(member, reader.readInt(at + 10));
                }
                at += 6 + reader.readInt(at + 2);
            }
        }
    }
}
