package com.webstueck.carelabels.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.webstueck.carelabels.article.Article;
import com.webstueck.carelabels.article.Articles;
import com.webstueck.carelabels.label.LabelWriter;
import com.webstueck.carelabels.text.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** GET /labels/{article}?lang=de-AT */
public class LabelHandler implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(LabelHandler.class);
    private static final String ROOT = "/labels/";

    private final ObjectMapper mapper = new ObjectMapper();
    private final Articles articles;
    private final LabelWriter writer;
    private final Messages messages;

    public LabelHandler(Articles articles, LabelWriter writer, Messages messages) {
        this.articles = articles;
        this.writer = writer;
        this.messages = messages;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try {
            Optional<Article> article = article(exchange.getRequestURI().getPath());
            if (article.isEmpty()) {
                answer(exchange, 404, Map.of("error", "no such article"));
                return;
            }
            Locale locale = messages.offered(language(exchange));
            answer(exchange, 200, writer.write(article.get(), locale));
        } catch (RuntimeException e) {
            LOG.error("{} failed", exchange.getRequestURI(), e);
            answer(exchange, 500, Map.of("error", "internal error"));
        }
    }

    private Optional<Article> article(String path) {
        try {
            return articles.find(Integer.parseInt(path.substring(ROOT.length())));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String language(HttpExchange exchange) {
        String query = exchange.getRequestURI().getQuery();
        if (query != null && query.startsWith("lang=")) {
            return query.substring("lang=".length());
        }
        return exchange.getRequestHeaders().getFirst("Accept-Language");
    }

    private void answer(HttpExchange exchange, int status, Object value) throws IOException {
        byte[] body = mapper.writeValueAsBytes(value);
        exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
