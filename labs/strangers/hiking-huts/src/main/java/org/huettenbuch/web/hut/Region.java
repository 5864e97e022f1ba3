package org.huettenbuch.web.hut;

public enum Region {

    KARWENDEL("Karwendel", 4),
    STUBAI("Stubai", 6),
    ZILLERTAL("Zillertal", 5),
    OETZTAL("Ötztal", 6),
    DACHSTEIN("Dachstein", 3);

    private final String label;
    private final int huts;

    Region(String label, int huts) {
        this.label = label;
        this.huts = huts;
    }

    public String getLabel() {
        return label;
    }

    int huts() {
        return huts;
    }
}
