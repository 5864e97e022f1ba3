package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Sockets that block. */
final class Sockets implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("sockets.TCP", "ping pong", () -> exchange(InetAddress.getLoopbackAddress()));
        checks.check("sockets.TCP over IPv6", "ping pong", () -> exchange(InetAddress.getByName("::1")));
        checks.check("sockets.UDP", "datagram from 127.0.0.1", Sockets::datagram);
        checks.check("sockets.nobody listens", "ConnectException: Connection refused", () -> {
            InetAddress here = InetAddress.getLoopbackAddress();
            // Bound, so that nobody else is given the port, and never listening.
            try (Socket silent = new Socket()) {
                silent.bind(new InetSocketAddress(here, 0));
                try (Socket socket = new Socket(here, silent.getLocalPort())) {
                    return "connected to " + socket;
                }
            } catch (ConnectException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage();
            }
        });
        checks.check("sockets.nobody answers", "SocketTimeoutException: Read timed out", () -> {
            try (ServerSocket listening = new ServerSocket(0);
                    Socket socket = new Socket("127.0.0.1", listening.getLocalPort())) {
                socket.setSoTimeout(50);
                return socket.getInputStream().read();
            } catch (SocketTimeoutException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage();
            }
        });
        checks.check("sockets.closed while it waits", "SocketException: Socket closed", Sockets::closedWhileAccepting);
        checks.check("sockets.reset by the other end", "SocketException: Connection reset", Sockets::reset);
        checks.check("sockets.port in use", "BindException: Address already in use", () -> {
            try (ServerSocket one = new ServerSocket(0);
                    ServerSocket other = new ServerSocket(one.getLocalPort())) {
                return "bound to " + other;
            } catch (java.net.BindException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage().replaceAll(" \\(.*", "");
            }
        });
        checks.check("sockets.options", "no delay true, keep alive true, linger 3, reuse true", () -> {
            try (Socket socket = new Socket()) {
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                socket.setSoLinger(true, 3);
                socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                return "no delay " + socket.getTcpNoDelay() + ", keep alive " + socket.getKeepAlive() + ", linger "
                        + socket.getSoLinger() + ", reuse " + socket.getOption(StandardSocketOptions.SO_REUSEPORT);
            }
        });
        checks.check("sockets.multicast on the loopback", "joined, left, not joined twice", Sockets::multicast);
    }

    private static String exchange(InetAddress address) throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 5, address)) {
            Thread.ofPlatform().daemon().start(() -> {
                try (Socket socket = listening.accept()) {
                    byte[] asked = socket.getInputStream().readNBytes(4);
                    socket.getOutputStream().write((new String(asked, UTF_8) + " pong").getBytes(UTF_8));
                } catch (IOException e) {
                    e.printStackTrace();
                }
            });
            try (Socket socket = new Socket(address, listening.getLocalPort())) {
                socket.getOutputStream().write("ping".getBytes(UTF_8));
                return new String(socket.getInputStream().readAllBytes(), UTF_8);
            }
        }
    }

    private static String datagram() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (DatagramSocket receiver = new DatagramSocket(0, here);
                DatagramSocket sender = new DatagramSocket(0, here)) {
            byte[] sent = "datagram".getBytes(UTF_8);
            sender.send(new DatagramPacket(sent, sent.length, here, receiver.getLocalPort()));
            DatagramPacket received = new DatagramPacket(new byte[100], 100);
            receiver.setSoTimeout(120_000);
            receiver.receive(received);
            return new String(received.getData(), 0, received.getLength(), UTF_8) + " from "
                    + received.getAddress().getHostAddress();
        }
    }

    private static String closedWhileAccepting() throws Exception {
        ServerSocket listening = new ServerSocket(0);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(100);
                listening.close();
            } catch (IOException | InterruptedException e) {
                e.printStackTrace();
            }
        });
        try {
            return "accepted " + listening.accept();
        } catch (SocketException e) {
            // It is worded otherwise where this thread gets to wait only after the close.
            String message = e.getMessage().replace("Socket is closed", "Socket closed");
            return e.getClass().getSimpleName() + ": " + message;
        }
    }

    private static String reset() throws Exception {
        try (ServerSocket listening = new ServerSocket(0);
                Socket socket = new Socket("127.0.0.1", listening.getLocalPort())) {
            Socket accepted = listening.accept();
            accepted.setSoLinger(true, 0);
            accepted.close();
            return "read " + socket.getInputStream().read();
        } catch (SocketException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    private static String multicast() throws IOException {
        InetSocketAddress group = new InetSocketAddress("239.1.2.3", 0);
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        try (MulticastSocket socket = new MulticastSocket(0)) {
            socket.joinGroup(group, loopback);
            String twice;
            try {
                socket.joinGroup(group, loopback);
                twice = "joined twice";
            } catch (SocketException e) {
                twice = "not joined twice";
            }
            socket.leaveGroup(group, loopback);
            return "joined, left, " + twice;
        }
    }
}
