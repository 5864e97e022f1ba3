package de.pruefwerk.recalls.status;

import de.pruefwerk.recalls.registry.Campaign;
import de.pruefwerk.recalls.registry.RegistryClient;
import de.pruefwerk.recalls.status.RecallStatus.Entry;
import de.pruefwerk.recalls.status.RecallStatus.Verdict;
import de.pruefwerk.recalls.workshop.Repair;
import de.pruefwerk.recalls.workshop.RepairBook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

@Service
public class RecallService {

    private static final int DANGEROUS = 4;

    private final RegistryClient registry;
    private final RepairBook repairs;

    public RecallService(RegistryClient registry, RepairBook repairs) {
        this.registry = registry;
        this.repairs = repairs;
    }

    public RecallStatus status(Vin vin) {
        List<Campaign> campaigns = new ArrayList<>(registry.campaigns(vin.text()));
        campaigns.sort(Comparator.comparing(Campaign::published).reversed().thenComparing(Campaign::code));
        List<Entry> entries = new ArrayList<>();
        int open = 0;
        boolean dangerous = false;
        for (Campaign campaign : campaigns) {
            Optional<Repair> repair = repairs.repair(vin.text(), campaign.code());
            if (repair.isEmpty()) {
                open++;
                dangerous |= campaign.hazard() >= DANGEROUS;
            }
            entries.add(new Entry(campaign.code(), campaign.defect(), campaign.remedy(), campaign.hazard(),
                    campaign.published(), repair.map(Repair::done).orElse(null),
                    repair.map(Repair::workshop).orElse(null)));
        }
        return new RecallStatus(vin.text(), verdict(open, dangerous), open, entries);
    }

    private static Verdict verdict(int open, boolean dangerous) {
        if (dangerous) {
            return Verdict.DO_NOT_DRIVE;
        }
        return open > 0 ? Verdict.REPAIR_DUE : Verdict.CLEAR;
    }
}
