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
        List<Campaign> due = new ArrayList<>();
        for (Campaign campaign : campaigns) {
            Optional<Repair> repair = repairs.repair(vin.text(), campaign.code());
            if (repair.isEmpty()) {
                due.add(campaign);
            }
            entries.add(new Entry(campaign.code(), campaign.defect(), campaign.remedy(), campaign.hazard(),
                    campaign.published(), repair.map(Repair::done).orElse(null),
                    repair.map(Repair::workshop).orElse(null)));
        }
        return new RecallStatus(vin.text(), verdict(due), due.size(), entries);
    }

    private static Verdict verdict(List<Campaign> due) {
        if (due.stream().anyMatch(campaign -> campaign.hazard() >= DANGEROUS)) {
            return Verdict.DO_NOT_DRIVE;
        }
        return due.isEmpty() ? Verdict.CLEAR : Verdict.REPAIR_DUE;
    }
}
