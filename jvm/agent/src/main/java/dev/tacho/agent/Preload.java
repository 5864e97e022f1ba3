package dev.tacho.agent;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.Enumeration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;

/**
 * Loads every class that the transformer and the table will ever use. If the transformer needs
 * a class while the JVM is loading that class, the JVM throws {@code ClassCircularityError}. It
 * keeps the result of a look-up (JVMS 5.4.3), so every later use from the same class fails as well,
 * also in code of the JDK that the application needs.
 */
final class Preload {
    private static final String OWN = "dev/tacho/agent/";
    private static final int CONSTANT_CLASS = 7;
    /**
     * Classes that the JDK's collections and counters use only when they grow, are shared between
     * threads, or fail. The warm-up does not reach them.
     */
    private static final String[] SELDOM = {
        "java.util.HashMap$TreeNode", "java.util.LinkedHashMap$Entry", "java.util.HashMap$EntrySet", "java.util.HashMap$EntryIterator",
        "java.util.HashMap$ValueIterator", "java.util.concurrent.ConcurrentHashMap$TreeNode", "java.util.concurrent.ConcurrentHashMap$TreeBin",
        "java.util.concurrent.ConcurrentHashMap$ForwardingNode", "java.util.concurrent.ConcurrentHashMap$ReservationNode",
        "java.util.concurrent.ConcurrentHashMap$CounterCell", "java.util.concurrent.ConcurrentHashMap$KeySetView",
        "java.util.concurrent.ConcurrentHashMap$EntryIterator", "java.util.concurrent.ConcurrentHashMap$MapEntry",
        "java.util.concurrent.ConcurrentHashMap$ValueIterator", "java.util.concurrent.ConcurrentLinkedQueue$Node",
        "java.util.concurrent.ConcurrentLinkedQueue$Itr", "java.util.concurrent.atomic.Striped64", "java.util.concurrent.atomic.Striped64$Cell",
        "java.util.concurrent.ThreadLocalRandom", "java.util.concurrent.locks.LockSupport", "java.util.ArrayList$Itr", "java.util.Arrays$ArrayList",
        "java.util.Arrays$ArrayItr", "java.util.zip.CRC32", "java.lang.NoClassDefFoundError", "java.lang.ClassCircularityError",
        "java.lang.StackOverflowError", "java.lang.OutOfMemoryError", "java.lang.NullPointerException", "java.lang.NegativeArraySizeException",
        "java.lang.ArrayIndexOutOfBoundsException", "java.lang.StringIndexOutOfBoundsException", "java.lang.ClassCastException",
        "java.util.NoSuchElementException", "java.util.ConcurrentModificationException"};

    private Preload() {
    }

    /** Once a session, before its transformer is added. */
    static void run() throws IOException {
        ClassLoader own = Preload.class.getClassLoader();
        for (String name : SELDOM) {
            load(name, true, null);
        }
        // Threads that add to a counter at the same moment use it to pick different cells.
        ThreadLocalRandom.current();
        File jar = jar();
        if (jar == null) {
            return;
        }
        try (ZipFile zip = new ZipFile(jar)) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements();) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                boolean isOwn = name.startsWith(OWN);
                if (name.endsWith(".class") && (isOwn || name.startsWith(Boot.PLACE))) {
                    if (isOwn) {
                        load(name.substring(0, name.length() - ".class".length()).replace('/', '.'), false, own);
                    }
                    named(read(zip, entry), isOwn ? own : null);
                }
            }
        }
    }

    /** Null where the classes lie unpacked, in tests. */
    private static File jar() throws IOException {
        URL place = Preload.class.getProtectionDomain().getCodeSource().getLocation();
        try {
            File file = new File(place.toURI());
            return file.isFile() ? file : null;
        } catch (URISyntaxException e) {
            throw new IOException("the agent does not find its own jar at " + place, e);
        }
    }

    private static byte[] read(ZipFile zip, ZipEntry entry) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = zip.getInputStream(entry)) {
            byte[] piece = new byte[8192];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                out.write(piece, 0, read);
            }
        }
        return out.toByteArray();
    }

    /**
     * All classes that a class names, by the loader that will be asked for them: it is not asked a
     * second time.
     */
    private static void named(byte[] bytes, ClassLoader loader) {
        ClassReader reader = new ClassReader(bytes);
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int at = reader.getItem(i);
            // A long or double takes two entries, of which the second is empty (0).
            if (at > 0 && reader.readByte(at - 1) == CONSTANT_CLASS) {
                load(reader.readUTF8(at, buffer).replace('/', '.'), false, loader);
            }
        }
    }

    private static void load(String name, boolean initialize, ClassLoader loader) {
        try {
            Class.forName(name, initialize, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            // Of another release of the JDK, or of a module that is not in this one.
        }
    }
}
