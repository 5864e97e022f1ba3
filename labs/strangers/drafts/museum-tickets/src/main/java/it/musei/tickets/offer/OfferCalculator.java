package it.musei.tickets.offer;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import it.musei.tickets.museum.Museum;
import it.musei.tickets.slots.Slot;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;

/** Prices the slots that have room for a party. */
public final class OfferCalculator {

    private static final int GUIDE_CENTS = 600;
    private static final int WEEKEND_PERCENT = 10;

    public JsonObject offer(Museum museum, LocalDate date, Party party, List<Slot> slots) {
        JsonArray offers = new JsonArray();
        for (Slot slot : slots) {
            if (slot.left() < party.persons()) {
                continue;
            }
            int cents = admission(museum, date, party) + (slot.guided() ? GUIDE_CENTS * party.persons() : 0);
            offers.add(new JsonObject()
                    .put("time", slot.time())
                    .put("guided", slot.guided())
                    .put("left", slot.left())
                    .put("total", euros(cents)));
        }
        return new JsonObject()
                .put("museum", museum.name())
                .put("city", museum.city())
                .put("date", date.toString())
                .put("persons", party.persons())
                .put("offers", offers);
    }

    private static int admission(Museum museum, LocalDate date, Party party) {
        int single = party.adults() * museum.adultCents() + party.children() * museum.childCents();
        int cents = single;
        if (party.adults() >= 2 && party.children() >= 1) {
            int restAdults = party.adults() - 2;
            int restChildren = Math.max(0, party.children() - 3);
            cents = Math.min(single, museum.familyCents() + restAdults * museum.adultCents()
                    + restChildren * museum.childCents());
        }
        boolean weekend = date.getDayOfWeek() == DayOfWeek.SATURDAY || date.getDayOfWeek() == DayOfWeek.SUNDAY;
        return weekend ? cents + cents * WEEKEND_PERCENT / 100 : cents;
    }

    private static String euros(int cents) {
        return cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
    }
}
