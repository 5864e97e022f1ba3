package com.hausbank.loans.web;

import com.hausbank.loans.calc.PlanCalculator;
import com.hausbank.loans.plan.RepaymentPlan;
import com.hausbank.loans.terms.LoanTerms;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class PlanController {

    private static final Logger LOG = LoggerFactory.getLogger(PlanController.class);

    private final TermsParser parser;
    private final PlanCalculator calculator;

    public PlanController(TermsParser parser, PlanCalculator calculator) {
        this.parser = parser;
        this.calculator = calculator;
    }

    public void annuity(Context ctx) {
        LoanTerms terms = parser.parse(ctx);
        answer(ctx, "annuity", calculator.annuity(terms));
    }

    public void instalment(Context ctx) {
        LoanTerms terms = parser.parse(ctx);
        answer(ctx, "instalment", calculator.instalment(terms));
    }

    private static void answer(Context ctx, String kind, RepaymentPlan plan) {
        LOG.debug("{} plan over {} months", kind, plan.terms().months());
        boolean monthly = "monthly".equals(ctx.queryParam("detail"));
        ctx.contentType(ContentType.APPLICATION_JSON).result(PlanJson.render(kind, plan, monthly));
    }
}
