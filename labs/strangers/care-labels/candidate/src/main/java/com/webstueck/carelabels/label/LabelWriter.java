package com.webstueck.carelabels.label;

import com.webstueck.carelabels.article.Article;
import com.webstueck.carelabels.article.Article.Share;
import com.webstueck.carelabels.article.Fibre;
import com.webstueck.carelabels.text.Messages;
import com.webstueck.carelabels.text.Texts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Words the label of an article in a language. */
public class LabelWriter {

    private final Messages messages;

    public LabelWriter(Messages messages) {
        this.messages = messages;
    }

    public Label write(Article article, Locale locale) {
        Texts texts = messages.in(locale);
        Care care = Care.of(article);
        return new Label(
                article.number(),
                texts.locale().toLanguageTag(),
                texts.care("title"),
                texts.care("composition", composition(article, texts)),
                texts.care("origin", texts.country(article.country())),
                instructions(care, texts),
                hints(article, texts));
    }

    private static String composition(Article article, Texts texts) {
        StringJoiner composition = new StringJoiner(", ");
        for (Share share : article.fibres()) {
            composition.add(share.percent() + " % " + texts.fibre(share.fibre().name()));
        }
        return composition.toString();
    }

    private static List<String> instructions(Care care, Texts texts) {
        List<String> lines = new ArrayList<>(5);
        lines.add(switch (care.wash()) {
            case NORMAL -> texts.care("wash.normal", care.washDegrees());
            case GENTLE -> texts.care("wash.gentle", care.washDegrees());
            case HAND -> texts.care("wash.hand");
            case NEVER -> texts.care("wash.never");
        });
        if (care.wash() == Care.Wash.NEVER) {
            lines.add(texts.care("clean.only"));
        } else {
            lines.add(texts.care(care.bleach() ? "bleach.any" : "bleach.never"));
            lines.add(switch (care.dry()) {
                case ANY -> texts.care("dry.any");
                case LOW -> texts.care("dry.low");
                case FLAT -> texts.care("dry.flat");
            });
        }
        lines.add(care.ironDegrees() == 0 ? texts.care("iron.never") : texts.care("iron.upto", care.ironDegrees()));
        return lines;
    }

    private static List<String> hints(Article article, Texts texts) {
        List<String> hints = new ArrayList<>(2);
        if (article.dark()) {
            hints.add(texts.care("hint.dark"));
        }
        if (article.contains(Fibre.PES) || article.contains(Fibre.CV)) {
            hints.add(texts.care("hint.fire"));
        }
        return hints;
    }
}
