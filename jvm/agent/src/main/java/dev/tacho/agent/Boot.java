package dev.tacho.agent;

import dev.tacho.table.TachoTable;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Defines the table's classes in the boot class loader, in the package {@code java.lang}. This is
 * done once in the life of a JVM: the classes cannot be unloaded. From JDK 9 on a private lookup of
 * that package defines them; {@code Instrumentation.redefineModule} opens the package to the agent.
 * On JDK 8 {@code sun.misc.Unsafe} does. Nothing is appended to the boot class path: the JVM
 * would warn about that and stop using its archive of application classes.
 */
final class Boot {
    /** Each after those that it needs to be linked. */
    static final String[] CLASSES = {
        "TachoCell", "TachoSlot", "TachoStack", "TachoSink", "TachoKey", "TachoState", "TachoName", "TachoWalk", "TachoTree", "TachoNode", "TachoCall",
        "TachoHanded", "TachoSame", "TachoConfig", "TachoConfig$Counts", "TachoTable"};
    static final String PLACE = "java/lang/";

    private Boot() {
    }

    static void define(Instrumentation instrumentation) throws Exception {
        Definer definer = definer(instrumentation);
        CRC32 version = new CRC32();
        for (String name : CLASSES) {
            byte[] bytes = bytes(PLACE + name + ".class");
            version.update(bytes);
            if (!isDefined(name)) {
                definer.define(name, bytes);
            }
        }
        // Code that calls a method that is not there would fail in the application's own calls.
        if (!TachoTable.isVersion(version.getValue())) {
            throw new IllegalStateException("another version of Tacho has been in this JVM, and its table cannot be replaced; restart the JVM, or use that version");
        }
    }

    private static boolean isDefined(String name) {
        try {
            return Class.forName("java.lang." + name, false, null).getClassLoader() == null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    static byte[] bytes(String path) throws IOException {
        try (InputStream in = Boot.class.getClassLoader().getResourceAsStream(path)) {
            if (in != null) {
                return all(in);
            }
        }
        // A class loader does not say why it finds nothing. Once, in a JVM of JDK 25 that had just
        // started, it found nothing in this jar although the jar was complete. So the jar is read
        // directly as well.
        try {
            return bytes(new File(Boot.class.getProtectionDomain().getCodeSource().getLocation().toURI()), path);
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    /** Reads an entry of a jar directly, without a class loader. */
    static byte[] bytes(File jar, String path) throws IOException {
        try (ZipFile zip = new ZipFile(jar)) {
            ZipEntry entry = zip.getEntry(path);
            if (entry == null) {
                throw new IOException("the agent's jar does not hold " + path + "; has it been changed?");
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return all(in);
            }
        }
    }

    private static byte[] all(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
            out.write(piece, 0, read);
        }
        return out.toByteArray();
    }

    private interface Definer {
        void define(String name, byte[] bytes) throws Exception;
    }

    private static Definer definer(Instrumentation instrumentation) throws Exception {
        Method privateLookup;
        try {
            privateLookup = MethodHandles.class.getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class);
        } catch (NoSuchMethodException beforeJdk9) {
            return unsafe();
        }
        Class<?> module = Class.forName("java.lang.Module");
        Method moduleOf = Class.class.getMethod("getModule");
        Map<String, Set<Object>> opened = Collections.singletonMap("java.lang", Collections.singleton(moduleOf.invoke(Boot.class)));
        Instrumentation.class.getMethod("redefineModule", module, Set.class, Map.class, Map.class, Set.class, Map.class)
                .invoke(instrumentation, moduleOf.invoke(Object.class), Collections.emptySet(), Collections.emptyMap(), opened,
                        Collections.emptySet(), Collections.emptyMap());
        Object lookup = privateLookup.invoke(null, Object.class, MethodHandles.lookup());
        Method define = MethodHandles.Lookup.class.getMethod("defineClass", byte[].class);
        // Without a lambda: that would have the JVM load much that the application may not need.
        return new Definer() {
            @Override
            public void define(String name, byte[] bytes) throws Exception {
                define.invoke(lookup, (Object) bytes);
            }
        };
    }

    private static Definer unsafe() throws Exception {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        Method define = type.getMethod("defineClass", String.class, byte[].class, int.class, int.class, ClassLoader.class, ProtectionDomain.class);
        return new Definer() {
            @Override
            public void define(String name, byte[] bytes) throws Exception {
                define.invoke(unsafe, "java.lang." + name, bytes, 0, bytes.length, null, null);
            }
        };
    }
}
