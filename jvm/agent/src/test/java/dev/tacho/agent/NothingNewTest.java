package dev.tacho.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tacho.table.TachoTable;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Reads the class files of the agent, of the table and of ASM: none of them names what makes the
 * JVM load or make classes that an application may not have, such as regular expressions and
 * lambdas. While a class is being loaded that may be the very one, and the application never gets
 * it then.
 */
class NothingNewTest {
    private static final int CONSTANT_CLASS = 7;
    private static final List<String> PACKAGES = List.of("java/util/regex/", "java/util/stream/", "java/util/function/", "java/text/", "java/time/");
    private static final Set<String> CLASSES = Set.of("java/util/Formatter", "java/util/Scanner", "java/util/StringJoiner", "java/util/Optional",
            "java/util/ServiceLoader", "java/util/ResourceBundle", "java/lang/invoke/StringConcatFactory", "java/lang/invoke/LambdaMetafactory");
    /**
     * Of {@code java.lang.String}: made of regular expressions, of a formatter or of streams, in
     * one JDK or another ({@code replace} in JDK 8).
     */
    private static final Set<String> TEXT = Set.of("format", "formatted", "split", "matches", "replaceAll", "replaceFirst", "join", "lines", "chars", "strip",
            "replace(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Ljava/lang/String;");
    /**
     * The JVM's own walker of stacks is asked by the first two; they are loaded by the warm-up,
     * which walks before anything is instrumented. ASM asks the third only who it is that uses a
     * version of its interface which is not settled yet.
     */
    private static final Map<String, Set<String>> NEEDED = Map.of(
            "dev/tacho/table/TachoWalk", Set.of("java/util/stream/BaseStream", "java/util/function/Function"),
            "org/objectweb/asm/Constants", Set.of("java/util/regex/Pattern"));

    /** What a class names of that, each with its place. */
    private static Set<String> found(byte[] bytes) {
        Set<String> found = new TreeSet<>();
        ClassReader reader = new ClassReader(bytes);
        String name = reader.getClassName();
        Set<String> needed = NEEDED.getOrDefault(name, Set.of());
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int at = reader.getItem(i);
            if (at > 0 && reader.readByte(at - 1) == CONSTANT_CLASS) {
                String type = reader.readUTF8(at, buffer);
                if (!needed.contains(type) && (CLASSES.contains(type) || PACKAGES.stream().anyMatch(type::startsWith))) {
                    found.add(name + " names " + type);
                }
            }
        }
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitInvokeDynamicInsn(String called, String type, Handle bootstrap, Object... arguments) {
                        found.add(name + "." + method + " has an invokedynamic by " + bootstrap.getOwner());
                    }

                    @Override
                    public void visitLdcInsn(Object value) {
                        if (value instanceof ConstantDynamic) {
                            found.add(name + "." + method + " has a dynamic constant");
                        }
                    }

                    @Override
                    public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
                        if (owner.equals("java/lang/String") && (TEXT.contains(called) || TEXT.contains(called + type))) {
                            found.add(name + "." + method + " calls String." + called);
                        }
                    }
                };
            }
        }, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return found;
    }

    private static Path placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static List<byte[]> classesBelow(Path folder) throws IOException {
        List<byte[]> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(file -> file.toString().endsWith(".class"))::iterator) {
                if (!file.toString().endsWith("module-info.class")) {
                    classes.add(Files.readAllBytes(file));
                }
            }
        }
        return classes;
    }

    private static Set<String> foundIn(List<byte[]> classes) {
        Set<String> found = new TreeSet<>();
        classes.forEach(each -> found.addAll(found(each)));
        return found;
    }

    @Test
    void nothingThatRunsWhileClassesAreLoadedNeedsWhatMayNotBeLoaded() throws Exception {
        List<byte[]> own = classesBelow(placeOf(TachoTable.class));
        assertTrue(own.size() > 40, "only " + own.size() + " classes were found");
        assertEquals(Set.of(), foundIn(own));
    }

    @Test
    void norDoesTheLibraryThatWritesClasses() throws Exception {
        try (FileSystem jar = FileSystems.newFileSystem(placeOf(ClassReader.class))) {
            List<byte[]> classes = classesBelow(jar.getPath("/"));
            assertTrue(classes.size() > 30, "only " + classes.size() + " classes were found");
            assertEquals(Set.of(), foundIn(classes));
        }
    }

    @Test
    void theSearchFindsWhatItLooksFor() throws Exception {
        // This very class has lambdas and streams.
        byte[] here;
        try (var in = NothingNewTest.class.getResourceAsStream("NothingNewTest.class")) {
            here = in.readAllBytes();
        }
        String found = found(here).toString();
        assertTrue(found.contains("names java/util/stream/Stream"), found);
        assertTrue(found.contains("invokedynamic by java/lang/invoke/LambdaMetafactory"), found);
        ClassWriter out = new ClassWriter(0);
        out.visit(Opcodes.V1_8, 0, "gen/Splits", null, "java/lang/Object", null);
        MethodVisitor code = out.visitMethod(0, "work", "()V", null, null);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/String", "split", "(Ljava/lang/String;)[Ljava/lang/String;", false);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/String", "replace", "(CC)Ljava/lang/String;", false);
        code.visitEnd();
        assertEquals(Set.of("gen/Splits.work calls String.split"), found(out.toByteArray()));
    }

    @Test
    void aPatternMeansAnyTextByItsStars() {
        String[][] match = {{"", ""}, {"*", ""}, {"*", "a\nb"}, {"a*c", "ac"}, {"a*c", "abcbc"}, {"*b*b", "abab"}, {"com.acme.*", "com.acme."}, {"a**", "a"},
            {"find(*", "find(I)V"}};
        String[][] not = {{"", "a"}, {"a*c", "acb"}, {"com.acme.*", "com-acme-x"}, {"*ab", "aba"}, {"a", "A"}, {"a*b*c", "acb"}};
        for (String[] each : match) {
            assertTrue(new Glob(each[0]).matches(each[1]), each[0] + " means " + each[1]);
        }
        for (String[] each : not) {
            assertFalse(new Glob(each[0]).matches(each[1]), each[0] + " does not mean " + each[1]);
        }
    }
}
