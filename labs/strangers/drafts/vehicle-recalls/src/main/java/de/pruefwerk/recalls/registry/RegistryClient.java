package de.pruefwerk.recalls.registry;

import java.util.List;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Asks the registry which campaigns a vehicle falls under. */
@Component
public class RegistryClient {

    private final RestClient http;

    public RegistryClient(RestClient registryRestClient) {
        this.http = registryRestClient;
    }

    public List<Campaign> campaigns(String vin) {
        CampaignList list = http.get().uri("/campaigns/{vin}", vin).retrieve().body(CampaignList.class);
        return list == null ? List.of() : list.campaigns();
    }
}
