package de.pruefwerk.recalls.registry;

import java.util.List;

public record CampaignList(String vin, List<Campaign> campaigns) {
}
