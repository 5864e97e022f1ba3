package tacho.checks.topics;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Virtual threads. */
final class VirtualThreads implements Topic {

    private static final ScopedValue<String> USER = ScopedValue.newInstance();

    @Override
    public void check(Checks checks) {
        checks.check(
                "virtual threads.twenty thousand at once", "20000 waited, 20000 ended", VirtualThreads::manyAtOnce);
        checks.check("virtual threads.asleep", 1000, () -> {
            AtomicInteger woken = new AtomicInteger();
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                IntStream.range(0, 1000)
                        .forEach(i -> executor.submit(() -> {
                            Thread.sleep(Duration.ofMillis(20));
                            return woken.incrementAndGet();
                        }));
            }
            return woken;
        });
        checks.check(
                "virtual threads.what they are",
                "virtual true, daemon true, named worker, group VirtualThreads",
                () -> {
                    var said = new java.util.concurrent.CompletableFuture<String>();
                    Thread.ofVirtual().name("worker").start(() -> {
                        Thread me = Thread.currentThread();
                        said.complete(
                                "virtual " + me.isVirtual() + ", daemon " + me.isDaemon() + ", named " + me.getName()
                                        + ", group " + me.getThreadGroup().getName());
                    });
                    return said.get();
                });
        checks.check("virtual threads.behind a lock and a monitor", "2000 and 2000", VirtualThreads::contend);
        checks.check("virtual threads.on sockets", 200, VirtualThreads::onSockets);
        checks.check("virtual threads.interrupted", "InterruptedException", () -> {
            var thrown = new java.util.concurrent.CompletableFuture<String>();
            Thread thread = Thread.startVirtualThread(() -> {
                try {
                    Thread.sleep(Duration.ofDays(1));
                } catch (InterruptedException e) {
                    thrown.complete(e.getClass().getSimpleName());
                }
            });
            thread.interrupt();
            return thrown.get();
        });
        checks.check("virtual threads.deep in the stack", 1000, () -> {
            var depth = new java.util.concurrent.CompletableFuture<Integer>();
            Thread.startVirtualThread(() -> depth.complete(descend(1000)));
            return depth.get();
        });
        checks.check("virtual threads.scoped value", "unbound, ann, bob, ann", () -> {
            StringBuilder seen = new StringBuilder(USER.isBound() ? "bound" : "unbound");
            ScopedValue.where(USER, "ann").run(() -> {
                seen.append(", ").append(USER.get());
                ScopedValue.where(USER, "bob").run(() -> seen.append(", ").append(USER.get()));
                seen.append(", ").append(USER.get());
            });
            return seen;
        });
        checks.check("virtual threads.results gathered", 4950, () -> {
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                int sum = 0;
                for (Future<Integer> each : IntStream.range(0, 100)
                        .mapToObj(i -> executor.submit(() -> i))
                        .toList()) {
                    sum += each.get();
                }
                return sum;
            }
        });
    }

    private static String manyAtOnce() throws Exception {
        int count = 20_000;
        AtomicInteger ended = new AtomicInteger();
        CountDownLatch waiting = new CountDownLatch(count);
        CountDownLatch gate = new CountDownLatch(1);
        long waited;
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                executor.submit(() -> {
                    waiting.countDown();
                    gate.await();
                    return ended.incrementAndGet();
                });
            }
            waiting.await();
            waited = count - waiting.getCount();
            gate.countDown();
        }
        return waited + " waited, " + ended + " ended";
    }

    private static String contend() {
        int[] counts = new int[2];
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, 2000)
                    .forEach(i -> executor.submit(() -> {
                        lock.lock();
                        try {
                            counts[0]++;
                        } finally {
                            lock.unlock();
                        }
                        synchronized (monitor) {
                            Thread.yield();
                            counts[1]++;
                        }
                    }));
        }
        return counts[0] + " and " + counts[1];
    }

    private static int onSockets() throws Exception {
        AtomicInteger answers = new AtomicInteger();
        try (ServerSocket listening = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                executor.submit(() -> {
                    try (Socket socket = listening.accept()) {
                        socket.getOutputStream().write(socket.getInputStream().read() + 1);
                    }
                    return null;
                });
                byte sent = (byte) (i % 100);
                executor.submit(() -> {
                    try (Socket socket = new Socket(listening.getInetAddress(), listening.getLocalPort())) {
                        socket.getOutputStream().write(sent);
                        return socket.getInputStream().read() == sent + 1 ? answers.incrementAndGet() : 0;
                    }
                });
            }
        }
        return answers.get();
    }

    private static int descend(int left) {
        if (left == 0) {
            Thread.yield();
            return 0;
        }
        return 1 + descend(left - 1);
    }
}
