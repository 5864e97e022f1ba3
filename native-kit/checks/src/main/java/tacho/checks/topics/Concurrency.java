package tacho.checks.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.LongStream;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Platform threads and what they share. */
final class Concurrency implements Topic {

    private static final ThreadLocal<String> MINE = ThreadLocal.withInitial(() -> "initial");
    private static final InheritableThreadLocal<String> OURS = new InheritableThreadLocal<>();

    private static final class Fibonacci extends RecursiveTask<Integer> {
        private final transient int n;

        private Fibonacci(int n) {
            this.n = n;
        }

        @Override
        protected Integer compute() {
            if (n < 2) {
                return n;
            }
            Fibonacci before = new Fibonacci(n - 1);
            before.fork();
            return new Fibonacci(n - 2).compute() + before.join();
        }
    }

    @Override
    public void check(Checks checks) {
        checks.check("threads.local", "initial here, theirs there", () -> {
            CompletableFuture<String> there = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                MINE.set("theirs");
                there.complete(MINE.get());
            });
            return MINE.get() + " here, ".concat(there.get()) + " there";
        });
        checks.check("threads.inherited local", "from the parent", () -> {
            OURS.set("from the parent");
            CompletableFuture<String> there = new CompletableFuture<>();
            new Thread(() -> there.complete(OURS.get())).start();
            return there.get();
        });
        checks.check("threads.monitor, wait and notify", List.of(0, 1, 2, 3, 4), Concurrency::waitAndNotify);
        checks.check("threads.under contention", 400_000L, Concurrency::contend);
        checks.check(
                "threads.read-write and stamped lock", "2 readers, writer kept out, optimistic read broken", () -> {
                    ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
                    lock.readLock().lock();
                    lock.readLock().lock();
                    String writer = CompletableFuture.supplyAsync(lock.writeLock()::tryLock)
                                    .get()
                            ? "let in"
                            : "kept out";
                    StampedLock stamped = new StampedLock();
                    long stamp = stamped.tryOptimisticRead();
                    stamped.unlockWrite(stamped.writeLock());
                    return lock.getReadLockCount() + " readers, writer " + writer + ", optimistic read "
                            + (stamped.validate(stamp) ? "good" : "broken");
                });
        checks.check(
                "threads.fork and join", 6765, () -> ForkJoinPool.commonPool().invoke(new Fibonacci(20)));
        checks.check("threads.parallel stream", 500000500000L, () -> LongStream.rangeClosed(1, 1_000_000)
                .parallel()
                .sum());
        checks.check("threads.completable future", "3 after all, IllegalStateException healed", () -> {
            CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> 1);
            CompletableFuture<Integer> two = CompletableFuture.supplyAsync(
                    () -> 2, CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS));
            String healed = CompletableFuture.supplyAsync(Concurrency::failing)
                    .exceptionally(e -> e.getCause().getClass().getSimpleName())
                    .get();
            return one.thenCombine(two, Integer::sum).get() + " after all, " + healed + " healed";
        });
        checks.check("threads.scheduled", "3 times", () -> {
            CountDownLatch times = new CountDownLatch(3);
            try (var scheduler = Executors.newScheduledThreadPool(1)) {
                scheduler.scheduleAtFixedRate(times::countDown, 1, 1, TimeUnit.MILLISECONDS);
                times.await();
                scheduler.shutdownNow();
            }
            return "3 times";
        });
        checks.check("threads.timer", "fired", () -> {
            CompletableFuture<String> fired = new CompletableFuture<>();
            Timer timer = new Timer(true);
            timer.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            fired.complete("fired");
                        }
                    },
                    5);
            return fired.get();
        });
        checks.check("threads.barrier", 4, () -> {
            CyclicBarrier barrier = new CyclicBarrier(4);
            LongAdder through = new LongAdder();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        barrier.await();
                        through.increment();
                    } catch (Exception e) {
                        e.printStackTrace();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            return through;
        });
        checks.check("threads.queue handed over", 4950, () -> {
            LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>(10);
            Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 100; i++) {
                    queue.offer(i);
                    while (queue.size() >= 10) {
                        Thread.onSpinWait();
                    }
                }
            });
            int sum = 0;
            for (int i = 0; i < 100; i++) {
                sum += queue.take();
            }
            return sum;
        });
        checks.check("threads.concurrent map", 1000, () -> {
            ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
            LongStream.range(0, 100_000).parallel().forEach(i -> map.merge((int) (i % 1000), 1, Integer::sum));
            return map.values().stream().filter(count -> count == 100).count();
        });
        checks.check("threads.stack of another", true, () -> {
            Thread sleeper = Thread.ofPlatform().daemon().start(() -> {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException e) {
                    // It is to end.
                }
            });
            while (sleeper.getState() != Thread.State.TIMED_WAITING) {
                Thread.sleep(1);
            }
            boolean found = List.of(Thread.getAllStackTraces().get(sleeper)).stream()
                    .anyMatch(frame -> frame.getMethodName().equals("sleep"));
            sleeper.interrupt();
            return found;
        });
        checks.check("threads.uncaught in another", "IllegalStateException in failing-thread", () -> {
            CompletableFuture<String> caught = new CompletableFuture<>();
            Thread thread = new Thread(Concurrency::failing, "failing-thread");
            thread.setUncaughtExceptionHandler(
                    (t, e) -> caught.complete(e.getClass().getSimpleName() + " in " + t.getName()));
            thread.start();
            return caught.get();
        });
    }

    private static String failing() {
        throw new IllegalStateException("on purpose");
    }

    private static List<Integer> waitAndNotify() throws Exception {
        List<Integer> received = new ArrayList<>();
        Object monitor = new Object();
        int[] slot = {-1};
        Thread sender = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 5; i++) {
                synchronized (monitor) {
                    while (slot[0] >= 0) {
                        await(monitor);
                    }
                    slot[0] = i;
                    monitor.notifyAll();
                }
            }
        });
        while (received.size() < 5) {
            synchronized (monitor) {
                while (slot[0] < 0) {
                    await(monitor);
                }
                received.add(slot[0]);
                slot[0] = -1;
                monitor.notifyAll();
            }
        }
        sender.join();
        return received;
    }

    private static void await(Object monitor) {
        try {
            monitor.wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long contend() throws InterruptedException {
        long[] count = new long[1];
        Object monitor = new Object();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int j = 0; j < 100_000; j++) {
                    synchronized (monitor) {
                        count[0]++;
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return count[0];
    }
}
