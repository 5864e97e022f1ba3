package com.webstueck.carelabels.label;

import com.webstueck.carelabels.article.Article;
import com.webstueck.carelabels.article.Article.Share;
import com.webstueck.carelabels.article.Fibre;

/** How an article wants to be treated; the most delicate fibre decides. */
record Care(Wash wash, int washDegrees, boolean bleach, Dry dry, int ironDegrees) {

    enum Wash {
        NORMAL, GENTLE, HAND, NEVER
    }

    enum Dry {
        ANY, LOW, FLAT
    }

    static Care of(Article article) {
        int wash = 95;
        int iron = 200;
        boolean tumble = true;
        for (Share share : article.fibres()) {
            Fibre fibre = share.fibre();
            wash = Math.min(wash, fibre.wash());
            iron = Math.min(iron, fibre.iron());
            tumble &= fibre.tumble();
        }
        return new Care(wash(article, wash), wash, article.madeOnlyOf(Fibre.CO) && !article.dark(),
                dry(article, tumble), article.lined() ? Math.min(iron, 110) : iron);
    }

    private static Wash wash(Article article, int degrees) {
        if (article.lined()) {
            return Wash.NEVER;
        }
        if (degrees == 0) {
            return Wash.HAND;
        }
        return degrees <= 30 ? Wash.GENTLE : Wash.NORMAL;
    }

    private static Dry dry(Article article, boolean tumble) {
        if (!tumble) {
            return Dry.FLAT;
        }
        return article.contains(Fibre.EL) || article.contains(Fibre.PES) ? Dry.LOW : Dry.ANY;
    }
}
