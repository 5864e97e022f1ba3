package ch.helvamed.stock.wholesale;

import java.net.URI;
import java.util.Optional;

import ch.helvamed.commons.http.JsonPartner;
import ch.helvamed.commons.http.PartnerSettings;
import ch.helvamed.stock.sandbox.WholesalerSandbox;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

@Singleton
public class Wholesaler {

    private final WholesalerSandbox sandbox;
    private final JsonPartner partner;

    public Wholesaler(WholesaleConfig config, WholesalerSandbox sandbox) {
        this.sandbox = sandbox;
        this.partner = new JsonPartner(new PartnerSettings("wholesale", config.connectTimeout(),
                config.readTimeout(), config.maxConnections()));
    }

    public Optional<PriceSheet> price(String code) {
        return partner.get(address("/prices/" + code), PriceSheet.class);
    }

    public Optional<StockSheet> stock(String code) {
        return partner.get(address("/stock/" + code), StockSheet.class);
    }

    private URI address(String path) {
        return sandbox.baseUri().resolve(path);
    }

    @PreDestroy
    void close() {
        partner.close();
    }
}
