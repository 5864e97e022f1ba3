package it.musei.tickets.museum;

import java.time.DayOfWeek;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** All museums of the association. */
public final class MuseumRegister {

    private final Map<String, Museum> museums = new LinkedHashMap<>();

    public MuseumRegister() {
        add("egizio", "Museo delle Antichità Egizie", "Torino", "nord", 1800, 500, 3900, DayOfWeek.MONDAY);
        add("cinema", "Museo del Cinematografo", "Torino", "nord", 1500, 400, 3200, DayOfWeek.TUESDAY);
        add("navale", "Museo Navale", "Genova", "nord", 1200, 300, 2500, DayOfWeek.MONDAY);
        add("pinacoteca", "Pinacoteca Civica", "Milano", "centro", 1600, 0, 3000, DayOfWeek.MONDAY);
        add("uffici", "Galleria degli Uffici", "Firenze", "centro", 2500, 200, 5200, DayOfWeek.MONDAY);
        add("etrusco", "Museo Etrusco", "Roma", "centro", 1000, 200, 2100, DayOfWeek.MONDAY);
        add("scavi", "Museo degli Scavi", "Napoli", "sud", 2200, 300, 4500, DayOfWeek.TUESDAY);
        add("ceramica", "Museo della Ceramica", "Vietri", "sud", 800, 200, 1700, DayOfWeek.WEDNESDAY);
    }

    private void add(String id, String name, String city, String operator, int adult, int child, int family,
            DayOfWeek closed) {
        museums.put(id, new Museum(id, name, city, operator, adult, child, family, Set.of(closed)));
    }

    public Museum find(String id) {
        return museums.get(id);
    }

    public Collection<Museum> all() {
        return museums.values();
    }
}
