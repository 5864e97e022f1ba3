package com.hausbank.loans;

import com.hausbank.loans.calc.AnnuityCalculator;
import com.hausbank.loans.calc.EffectiveRate;
import com.hausbank.loans.calc.PlanCalculator;
import com.hausbank.loans.web.PlanController;
import com.hausbank.loans.web.TermsParser;
import io.javalin.Javalin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static io.javalin.apibuilder.ApiBuilder.get;
import static io.javalin.apibuilder.ApiBuilder.path;

public final class LoanPlans {

    private static final Logger LOG = LoggerFactory.getLogger(LoanPlans.class);

    private LoanPlans() {
    }

    public static void main(String[] args) {
        int port = Integer.parseInt(System.getenv().getOrDefault("HTTP_PORT", "8080"));

        PlanCalculator calculator = new PlanCalculator(new AnnuityCalculator(), new EffectiveRate());
        PlanController plans = new PlanController(new TermsParser(), calculator);

        Javalin app = Javalin.create(config -> {
            config.showJavalinBanner = false;
            config.router.apiBuilder(() -> {
                path("/plans", () -> {
                    get("/annuity", plans::annuity);
                    get("/instalment", plans::instalment);
                });
                get("/health", ctx -> ctx.result("UP"));
            });
        });
        app.exception(IllegalArgumentException.class, (e, ctx) -> {
            LOG.debug("Rejected {}: {}", ctx.fullUrl(), e.getMessage());
            ctx.status(400).result(e.getMessage());
        });
        app.start(port);
        Runtime.getRuntime().addShutdownHook(new Thread(app::stop, "shutdown"));
        LOG.info("Loan plans are calculated on port {}", app.port());
    }
}
