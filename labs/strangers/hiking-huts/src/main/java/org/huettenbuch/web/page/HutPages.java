package org.huettenbuch.web.page;

import org.huettenbuch.web.hut.Hut;
import org.huettenbuch.web.hut.HutRegister;
import org.huettenbuch.web.hut.Region;
import org.huettenbuch.web.occupancy.OccupancyBook;

import java.time.LocalDate;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

@Controller
public class HutPages {

    private static final Logger log = LoggerFactory.getLogger(HutPages.class);
    private static final int NIGHTS_SHOWN = 10;

    private final HutRegister huts;
    private final OccupancyBook occupancy;

    public HutPages(HutRegister huts, OccupancyBook occupancy) {
        this.huts = huts;
        this.occupancy = occupancy;
    }

    @GetMapping("/regions/{name}")
    public String region(@PathVariable String name, Model model) {
        Region region = region(name);
        model.addAttribute("region", region);
        model.addAttribute("huts", huts.in(region));
        return "huts/list";
    }

    @GetMapping("/huts/{id}")
    public String hut(@PathVariable String id,
            @RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate from, Model model) {
        Hut hut = huts.find(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
        model.addAttribute("hut", hut);
        model.addAttribute("nights", occupancy.nights(hut, from, NIGHTS_SHOWN));
        log.debug("page of {} from {}", hut.name(), from);
        return "huts/hut";
    }

    private static Region region(String name) {
        for (Region region : Region.values()) {
            if (region.name().toLowerCase(Locale.ROOT).equals(name)) {
                return region;
            }
        }
        throw new ResponseStatusException(HttpStatus.NOT_FOUND);
    }
}
