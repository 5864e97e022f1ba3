package com.webstueck.carelabels;

import com.sun.net.httpserver.HttpServer;
import com.webstueck.carelabels.article.Articles;
import com.webstueck.carelabels.http.LabelHandler;
import com.webstueck.carelabels.label.LabelWriter;
import com.webstueck.carelabels.text.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        String setting = System.getenv("LABELS_PORT");
        int port = setting == null ? 8080 : Integer.parseInt(setting);

        Messages messages = new Messages();
        LabelHandler labels = new LabelHandler(Articles.load(), new LabelWriter(messages), messages);

        HttpServer server = HttpServer.create(new InetSocketAddress(port), 256);
        server.setExecutor(executor(12));
        server.createContext("/labels/", labels);
        server.start();
        LOG.info("Care labels listening on port {}", port);
    }

    private static ThreadPoolExecutor executor(int threads) {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                task -> new Thread(task, "labels-" + number.incrementAndGet()));
    }
}
