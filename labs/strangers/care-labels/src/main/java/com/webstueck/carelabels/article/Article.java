package com.webstueck.carelabels.article;

import java.util.List;

public record Article(int number, String name, List<Share> fibres, String country, boolean dark, boolean lined) {

    public record Share(Fibre fibre, int percent) {
    }

    public boolean contains(Fibre fibre) {
        for (Share share : fibres) {
            if (share.fibre() == fibre) {
                return true;
            }
        }
        return false;
    }

    public boolean madeOnlyOf(Fibre fibre) {
        return fibres.size() == 1 && fibres.get(0).fibre() == fibre;
    }
}
