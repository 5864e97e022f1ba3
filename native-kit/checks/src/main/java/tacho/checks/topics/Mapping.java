package tacho.checks.topics;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Topic;

/** Memory outside the heap: mapped files, direct buffers, segments. */
final class Mapping implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("mapping.written through", "Hello 4096", Scratch.with(scratch -> {
            Path file = Files.write(scratch.path("a"), new byte[4096]);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
                memory.put("Hello".getBytes());
                memory.force();
            }
            return Files.readString(file).strip().replace("\0", "") + " " + Files.size(file);
        }));
        checks.check("mapping.read only", "7, no writing", Scratch.with(scratch -> {
            Path file = Files.write(scratch.path("a"), new byte[] {7});
            try (FileChannel channel = FileChannel.open(file)) {
                MappedByteBuffer memory =
                        channel.map(FileChannel.MapMode.READ_ONLY, 0, 1).load();
                try {
                    memory.put(0, (byte) 8);
                    return "written";
                } catch (ReadOnlyBufferException e) {
                    return memory.get(0) + ", no writing";
                }
            }
        }));
        checks.check("mapping.private", "9 here, 0 there", Scratch.with(scratch -> {
            Path file = Files.write(scratch.path("a"), new byte[1]);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                MappedByteBuffer memory = channel.map(FileChannel.MapMode.PRIVATE, 0, 1);
                memory.put(0, (byte) 9);
                return memory.get(0) + " here, " + Files.readAllBytes(file)[0] + " there";
            }
        }));
        checks.check("mapping.grown and of a great size", 1L << 28, Scratch.with(scratch -> {
            Path file = Files.createFile(scratch.path("sparse"));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                channel.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 28).put((1 << 28) - 1, (byte) 1);
            }
            return Files.size(file);
        }));
        checks.check("mapping.segment with every kind of value", "true 1 2 c 4 5 6.5 7.5, unaligned 4 5", Mapping::everyKindOfValue);
        checks.check("mapping.segment of a file", "42, then closed", Scratch.with(Mapping::segmentOfFile));
        checks.check("mapping.segment of native memory", 499500, () -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 1000);
                for (int i = 0; i < 1000; i++) {
                    numbers.setAtIndex(ValueLayout.JAVA_INT, i, i);
                }
                int sum = 0;
                for (int i = 0; i < 1000; i++) {
                    sum += numbers.getAtIndex(ValueLayout.JAVA_INT, i);
                }
                return sum;
            }
        });
        checks.check("mapping.direct buffer and byte order", "4030201 little endian, 1020304 big endian", () -> {
            ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 24).order(ByteOrder.LITTLE_ENDIAN);
            bytes.put(0, new byte[] {1, 2, 3, 4});
            String little = Integer.toHexString(bytes.getInt(0));
            return little + " little endian, "
                    + Integer.toHexString(bytes.order(ByteOrder.BIG_ENDIAN).getInt(0)) + " big endian";
        });
    }

    /** Each kind has variable handles of its own, which the JDK looks up by name. */
    private static String everyKindOfValue() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64, 8);
            memory.set(ValueLayout.JAVA_BOOLEAN, 0, true);
            memory.set(ValueLayout.JAVA_BYTE, 1, (byte) 1);
            memory.set(ValueLayout.JAVA_SHORT, 2, (short) 2);
            memory.set(ValueLayout.JAVA_CHAR, 4, 'c');
            memory.set(ValueLayout.JAVA_INT, 8, 4);
            memory.set(ValueLayout.JAVA_LONG, 16, 5);
            memory.set(ValueLayout.JAVA_FLOAT, 24, 6.5f);
            memory.set(ValueLayout.JAVA_DOUBLE, 32, 7.5);
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, 41, 4);
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 49, 5);
            return memory.get(ValueLayout.JAVA_BOOLEAN, 0) + " " + memory.get(ValueLayout.JAVA_BYTE, 1) + " "
                    + memory.get(ValueLayout.JAVA_SHORT, 2) + " " + memory.get(ValueLayout.JAVA_CHAR, 4) + " "
                    + memory.get(ValueLayout.JAVA_INT, 8) + " " + memory.get(ValueLayout.JAVA_LONG, 16) + " "
                    + memory.get(ValueLayout.JAVA_FLOAT, 24) + " " + memory.get(ValueLayout.JAVA_DOUBLE, 32) + ", unaligned "
                    + memory.get(ValueLayout.JAVA_INT_UNALIGNED, 41) + " " + memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 49);
        }
    }

    private static String segmentOfFile(Scratch scratch) throws Exception {
        Path file = Files.write(scratch.path("a"), new byte[16]);
        MemorySegment segment;
        long value;
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, 16, arena);
            segment.set(ValueLayout.JAVA_LONG, 8, 42);
            value = segment.get(ValueLayout.JAVA_LONG, 8);
        }
        try {
            return "still " + segment.get(ValueLayout.JAVA_LONG, 8);
        } catch (IllegalStateException e) {
            return value + ", then closed";
        }
    }
}
