package com.assura.claims;

import com.assura.claims.admin.AdminServer;
import com.assura.claims.admin.Counters;
import com.assura.claims.api.ApiServer;
import com.assura.claims.claim.ClaimRepository;
import com.assura.claims.claim.SampleClaims;
import com.assura.claims.rules.RuleEngine;
import com.assura.claims.trace.CorrelationIds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.LocalDate;

public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final LocalDate BOOK_DATE = LocalDate.of(2025, 10, 1);

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        int port = port("SERVER_PORT", 8080);
        int adminPort = port("ADMIN_PORT", port + 1000);

        Counters counters = new Counters();
        AdminServer admin = new AdminServer(adminPort, counters);
        admin.start();

        ClaimRepository claims = new ClaimRepository();
        new SampleClaims().addTo(claims, BOOK_DATE);
        RuleEngine engine = RuleEngine.standard(claims, BOOK_DATE);
        ApiServer api = new ApiServer(port, claims, engine, new CorrelationIds(), counters);
        api.start();
        admin.ready();

        LOG.info("Claims desk on port {}, administration on port {}, {} claims", port, adminPort, claims.size());
    }

    private static int port(String variable, int fallback) {
        String value = System.getenv(variable);
        return value == null || value.isBlank() ? fallback : Integer.parseInt(value.trim());
    }
}
