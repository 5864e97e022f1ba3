package org.huettenbuch.web.hut;

public record Hut(String id, String name, Region region, int altitude, int beds, String guardian, String phone) {

    public boolean isHigh() {
        return altitude >= 2_500;
    }
}
