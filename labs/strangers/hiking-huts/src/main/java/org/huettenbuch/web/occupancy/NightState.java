package org.huettenbuch.web.occupancy;

public enum NightState {

    FREE("free", "nights.free"),
    FEW("few", "nights.free"),
    FULL("full", "nights.full"),
    CLOSED("closed", "nights.closed");

    private final String css;
    private final String message;

    NightState(String css, String message) {
        this.css = css;
        this.message = message;
    }

    public String getCss() {
        return css;
    }

    public String getMessage() {
        return message;
    }

    static NightState of(int free) {
        if (free <= 0) {
            return FULL;
        }
        return free < 6 ? FEW : FREE;
    }
}
