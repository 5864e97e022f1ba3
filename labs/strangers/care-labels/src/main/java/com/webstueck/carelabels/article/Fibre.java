package com.webstueck.carelabels.article;

/** Fibres with their codes in trade, and what they stand: washing and ironing in degrees Celsius, 0 for not at all. */
public enum Fibre {

    CO(60, 200, true), WO(30, 110, false), SE(30, 110, false), LI(60, 200, true), PES(40, 110, true), EL(30, 110, true),
    CV(40, 150, true), WS(0, 110, false);

    private final int wash;
    private final int iron;
    private final boolean tumble;

    Fibre(int wash, int iron, boolean tumble) {
        this.wash = wash;
        this.iron = iron;
        this.tumble = tumble;
    }

    public int wash() {
        return wash;
    }

    public int iron() {
        return iron;
    }

    public boolean tumble() {
        return tumble;
    }
}
