package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Topic;

/** Files by channels. */
final class FileChannels implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("file channels.gathered and scattered", "head body", Scratch.with(FileChannels::gatherAndScatter));
        checks.check("file channels.at a position", "0123ab6789", Scratch.with(scratch -> {
            Path file = Files.writeString(scratch.path("a"), "0123456789");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap("ab".getBytes(UTF_8)), 4);
            }
            return Files.readString(file);
        }));
        checks.check("file channels.transferred", "1048576 true", Scratch.with(FileChannels::transfer));
        checks.check("file channels.truncated and forced", 3L, Scratch.with(scratch -> {
            Path file = Files.writeString(scratch.path("a"), "0123456789");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(3).force(true);
            }
            return Files.size(file);
        }));
        checks.check("file channels.asynchronous", "later", Scratch.with(scratch -> {
            Path file = Files.writeString(scratch.path("a"), "now or later");
            try (var channel = AsynchronousFileChannel.open(file, StandardOpenOption.READ)) {
                ByteBuffer bytes = ByteBuffer.allocate(5);
                channel.read(bytes, 7).get();
                return new String(bytes.array(), UTF_8);
            }
        }));
        checks.check("file channels.pipe", "through", () -> {
            Pipe pipe = Pipe.open();
            try (var sink = pipe.sink();
                    var source = pipe.source()) {
                sink.write(ByteBuffer.wrap("through".getBytes(UTF_8)));
                ByteBuffer bytes = ByteBuffer.allocate(7);
                source.read(bytes);
                return new String(bytes.array(), UTF_8);
            }
        });
    }

    private static String gatherAndScatter(Scratch scratch) throws Exception {
        Path file = scratch.path("a");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(
                    new ByteBuffer[] {ByteBuffer.wrap("head".getBytes(UTF_8)), ByteBuffer.wrap("body".getBytes(UTF_8))
                    });
        }
        ByteBuffer head = ByteBuffer.allocateDirect(4);
        ByteBuffer body = ByteBuffer.allocate(4);
        try (FileChannel channel = FileChannel.open(file)) {
            channel.read(new ByteBuffer[] {head, body});
        }
        return UTF_8.decode(head.flip()) + " " + UTF_8.decode(body.flip());
    }

    private static String transfer(Scratch scratch) throws Exception {
        byte[] bytes = new byte[1 << 20];
        bytes[12345] = 1;
        Path from = Files.write(scratch.path("from"), bytes);
        Path to = Files.createFile(scratch.path("to"));
        long moved = 0;
        try (FileChannel in = FileChannel.open(from);
                FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
            while (moved < bytes.length) {
                moved += in.transferTo(moved, bytes.length - moved, out);
            }
        }
        return moved + " " + (Files.mismatch(from, to) == -1);
    }
}
