package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Topic;

/** Sockets as channels, and the selector. */
final class Channels implements Topic {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Override
    public void check(Checks checks) {
        checks.check("channels.TCP", "hi", () -> {
            try (ServerSocketChannel listening = ServerSocketChannel.open().bind(ANY_PORT);
                    SocketChannel client = SocketChannel.open(listening.getLocalAddress());
                    SocketChannel server = listening.accept()) {
                server.write(ByteBuffer.wrap("hi".getBytes(UTF_8)));
                return read(client, 2);
            }
        });
        checks.check("channels.Unix domain socket", "hi, a socket true", Scratch.with(scratch -> {
            var address = UnixDomainSocketAddress.of(scratch.path("socket"));
            try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                            .bind(address);
                    SocketChannel client = SocketChannel.open(address);
                    SocketChannel server = listening.accept()) {
                server.write(ByteBuffer.wrap("hi".getBytes(UTF_8)));
                boolean socket = Files.readAttributes(
                                scratch.path("socket"), java.nio.file.attribute.BasicFileAttributes.class)
                        .isOther();
                return read(client, 2) + ", a socket " + socket;
            }
        }));
        checks.check("channels.UDP", "hi", () -> {
            try (DatagramChannel one = DatagramChannel.open().bind(ANY_PORT);
                    DatagramChannel other = DatagramChannel.open()) {
                other.send(ByteBuffer.wrap("hi".getBytes(UTF_8)), one.getLocalAddress());
                ByteBuffer bytes = ByteBuffer.allocate(10);
                one.receive(bytes);
                return UTF_8.decode(bytes.flip());
            }
        });
        checks.check("channels.asynchronous", "hi", () -> {
            try (var listening = AsynchronousServerSocketChannel.open().bind(ANY_PORT);
                    var client = AsynchronousSocketChannel.open()) {
                var accepted = listening.accept();
                client.connect(listening.getLocalAddress()).get();
                ByteBuffer bytes = ByteBuffer.allocate(2);
                try (AsynchronousSocketChannel server = accepted.get()) {
                    server.write(ByteBuffer.wrap("hi".getBytes(UTF_8))).get();
                    client.read(bytes).get();
                }
                return UTF_8.decode(bytes.flip());
            }
        });
        checks.check("channels.selector serves a hundred", 100, Channels::serveByOneThread);
        checks.check("channels.selector woken", "woken with 0", () -> {
            try (Selector selector = Selector.open()) {
                Thread.ofPlatform().daemon().start(selector::wakeup);
                return "woken with " + selector.select(60_000);
            }
        });
        checks.check("channels.interrupted", "ClosedByInterruptException", () -> {
            try (ServerSocketChannel listening = ServerSocketChannel.open().bind(ANY_PORT)) {
                Thread.currentThread().interrupt();
                return listening.accept();
            } catch (java.nio.channels.ClosedByInterruptException e) {
                return e.getClass().getSimpleName();
            } finally {
                Thread.interrupted();
            }
        });
        checks.check("channels.inherited", "null", System::inheritedChannel);
    }

    private static String read(SocketChannel channel, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // One read may bring only a part.
        }
        return UTF_8.decode(bytes.flip()).toString();
    }

    /** A hundred connections, each asking for an echo, on one thread with one selector. */
    private static int serveByOneThread() throws IOException {
        try (Selector selector = Selector.open();
                ServerSocketChannel listening = ServerSocketChannel.open().bind(ANY_PORT, 200)) {
            listening.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            SocketChannel[] clients = new SocketChannel[100];
            for (int i = 0; i < clients.length; i++) {
                clients[i] = SocketChannel.open(listening.getLocalAddress());
                clients[i].write(ByteBuffer.wrap(new byte[] {(byte) i}));
            }
            for (int served = 0; served < clients.length; ) {
                selector.select(30_000);
                for (var keys = selector.selectedKeys().iterator(); keys.hasNext(); ) {
                    served += serve(keys.next(), selector);
                    keys.remove();
                }
            }
            int right = 0;
            for (int i = 0; i < clients.length; i++) {
                ByteBuffer answer = ByteBuffer.allocate(1);
                clients[i].read(answer);
                right += answer.get(0) == (byte) i ? 1 : 0;
                clients[i].close();
            }
            return right;
        }
    }

    private static int serve(SelectionKey key, Selector selector) throws IOException {
        if (key.isAcceptable()) {
            SocketChannel accepted = ((ServerSocketChannel) key.channel()).accept();
            accepted.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            return 0;
        }
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer bytes = ByteBuffer.allocate(1);
        if (channel.read(bytes) < 1) {
            return 0;
        }
        channel.write(bytes.flip());
        key.cancel();
        return 1;
    }
}
