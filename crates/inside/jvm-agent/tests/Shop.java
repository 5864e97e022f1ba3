package com.acme;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Does what its standard input says, as many times and in as many threads, and says when it is
 * done.
 */
public class Shop {
    static final ClassLoader LOADER = new Loader();
    static Object kept;

    static class Loader extends URLClassLoader {
        Loader() {
            super(new URL[0], Shop.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return super.loadClass(name, resolve);
        }
    }

    static class Order {
        final int number;
        final String name;

        Order(int number, String name) {
            this.number = number;
            this.name = name;
        }

        @Override
        public String toString() {
            throw new AssertionError("nobody asked for it");
        }
    }

    static class OutOfStock extends RuntimeException {
        OutOfStock(String what) {
            super("no more " + what);
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("up");
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ");
            int times = Integer.parseInt(words[1]);
            int threads = words.length > 2 ? Integer.parseInt(words[2]) : 1;
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < times; i++) {
                        act(words[0], i);
                    }
                });
                thread.start();
                running.add(thread);
            }
            for (Thread thread : running) {
                thread.join();
            }
            System.out.println("done");
        }
    }

    static void act(String what, int i) {
        switch (what) {
            case "absent":
                absent();
                break;
            case "swallow":
                swallow();
                break;
            case "regex":
                kept = Pattern.compile("a+b");
                break;
            case "resource":
                kept = LOADER.getResource("META-INF/services/none");
                break;
            case "reflect":
                reflect();
                break;
            case "render":
                render(new Order(i, "order " + i), 3);
                break;
            case "receipt":
                kept = Till.receipt(new Order(i, "order " + i), 3);
                break;
            case "gc":
                System.gc();
                break;
            case "queue":
                queue();
                break;
            case "futures":
                futures();
                break;
            case "fresh":
                fresh();
                break;
            default:
                throw new IllegalArgumentException(what);
        }
    }

    static final java.util.concurrent.ExecutorService POOL = java.util.concurrent.Executors.newFixedThreadPool(1, task -> {
        Thread thread = new Thread(task, "shop-worker-1");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * The only worker sleeps while a second task waits for it; a third is refused, since its own
     * pool is closed.
     */
    static void queue() {
        java.util.concurrent.Future<?> first = POOL.submit(Shop::nap);
        java.util.concurrent.Future<?> second = POOL.submit(Shop::nap);
        java.util.concurrent.ExecutorService closed = java.util.concurrent.Executors.newFixedThreadPool(1);
        closed.shutdown();
        try {
            closed.execute(Shop::nap);
        } catch (java.util.concurrent.RejectedExecutionException e) {
            kept = e;
        }
        try {
            first.get();
            second.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void futures() {
        kept = java.util.concurrent.CompletableFuture.supplyAsync(() -> sum(3)).join();
        java.util.concurrent.CompletableFuture.runAsync(Shop::nap).join();
    }

    static void nap() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void absent() {
        try {
            Class.forName("org.absent.Time", false, LOADER);
        } catch (ClassNotFoundException e) {
            kept = e;
        }
    }

    static void swallow() {
        try {
            throw new OutOfStock("tea");
        } catch (OutOfStock e) {
            kept = e;
        }
    }

    static void reflect() {
        try {
            kept = Shop.class.getDeclaredMethod("sum", int.class).invoke(null, 3);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static int sum(int to) {
        int sum = 0;
        for (int i = 0; i < to; i++) {
            sum += i;
        }
        return sum;
    }

    static String render(Order order, int rows) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            out.append(row(order, i));
        }
        try {
            fail();
        } catch (OutOfStock e) {
            out.append('!');
        }
        Supplier<String> later = () -> "later " + order.number;
        return out + later.get();
    }

    static String row(Order order, int i) {
        return pad(order.name, i);
    }

    static String pad(String text, int width) {
        if (width == 2) {
            return null;
        }
        return String.format("%20s", text);
    }

    static void fail() {
        throw new OutOfStock("ink");
    }

    /** Traced without a lambda: see what those leave in the metaspace. */
    static class Till {
        static String receipt(Order order, int lines) {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < lines; i++) {
                out.append(line(order, i));
            }
            return out.toString();
        }

        static String line(Order order, int i) {
            return pad(order.name, i);
        }
    }

    /** A class that has not been loaded before. */
    static void fresh() {
        kept = new Late().greet();
    }

    interface Greets {
        String greet();
    }

    static class Early implements Greets {
        @Override
        public String greet() {
            return "early";
        }
    }

    static class Late extends Early {
        @Override
        public String greet() {
            return "late";
        }
    }
}
