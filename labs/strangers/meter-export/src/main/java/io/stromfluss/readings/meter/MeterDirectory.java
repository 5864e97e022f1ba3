package io.stromfluss.readings.meter;

import io.stromfluss.readings.ReadingProperties;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Component;

@Component
public class MeterDirectory {

    private final Map<String, Meter> meters = new LinkedHashMap<>();

    public MeterDirectory(ReadingProperties properties) {
        ConsumerGroup[] groups = ConsumerGroup.values();
        for (int i = 1; i <= properties.meters(); i++) {
            String id = "1ESY" + (1_160_000_000L + i * 37L);
            String location = "DE" + (51_238_696_000L + i);
            meters.put(id, new Meter(id, location, groups[i % groups.length]));
            meters.put("meter-" + i, new Meter("meter-" + i, location, groups[i % groups.length]));
        }
    }

    public Meter get(String id) {
        Meter meter = meters.get(id);
        if (meter == null) {
            throw new UnknownMeterException(id);
        }
        return meter;
    }

    public Collection<Meter> all() {
        return meters.values();
    }
}
