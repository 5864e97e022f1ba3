package fi.kirjasto.holds.web;

import java.util.List;

public record HoldsView(String card, int ready, List<HoldView> holds, List<RemoteHoldView> remote) {

    public record HoldView(String id, String title, String author, String branch, int position, int loanDays,
            String pickUp, String confidence) {
    }

    public record RemoteHoldView(String reference, String from, String title, String due, boolean onItsWay) {
    }
}
