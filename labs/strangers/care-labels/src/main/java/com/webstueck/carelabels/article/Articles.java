package com.webstueck.carelabels.article;

import com.webstueck.carelabels.article.Article.Share;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The articles of the season. */
public final class Articles {

    private static final Logger LOG = LoggerFactory.getLogger(Articles.class);

    private final Map<Integer, Article> articles;

    private Articles(Map<Integer, Article> articles) {
        this.articles = articles;
    }

    public static Articles load() {
        Map<Integer, Article> articles = new TreeMap<>();
        InputStream stream = Articles.class.getResourceAsStream("/articles.csv");
        if (stream == null) {
            throw new IllegalStateException("articles.csv is missing");
        }
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            String line;
            while ((line = reader.readLine()) != null) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    Article article = article(line.split(";"));
                    articles.put(article.number(), article);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LOG.info("{} articles", articles.size());
        return new Articles(articles);
    }

    private static Article article(String[] cells) {
        List<Share> fibres = new ArrayList<>();
        for (String share : cells[2].split(" ")) {
            int colon = share.indexOf(':');
            fibres.add(new Share(Fibre.valueOf(share.substring(0, colon)), Integer.parseInt(share.substring(colon + 1))));
        }
        return new Article(Integer.parseInt(cells[0]), cells[1], List.copyOf(fibres), cells[3], "yes".equals(cells[4]),
                "yes".equals(cells[5]));
    }

    public Optional<Article> find(int number) {
        return Optional.ofNullable(articles.get(number));
    }
}
