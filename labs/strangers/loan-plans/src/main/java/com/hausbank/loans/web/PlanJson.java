package com.hausbank.loans.web;

import com.hausbank.loans.plan.Payment;
import com.hausbank.loans.plan.RepaymentPlan;
import com.hausbank.loans.plan.YearSummary;

import java.math.BigDecimal;

/** Renders plans as JSON. */
final class PlanJson {

    private PlanJson() {
    }

    static String render(String kind, RepaymentPlan plan, boolean monthly) {
        StringBuilder out = new StringBuilder(2_048);
        out.append("{\"kind\":\"").append(kind).append('"');
        amount(out, "principal", plan.terms().principal());
        amount(out, "nominalRate", plan.terms().nominalRate());
        amount(out, "effectiveRate", plan.effectiveRate());
        out.append(",\"months\":").append(plan.terms().months());
        amount(out, "regularPayment", plan.regular());
        amount(out, "lastPayment", plan.last().amount());
        amount(out, "totalInterest", plan.totalInterest());
        out.append(",\"years\":[");
        String separator = "";
        for (YearSummary year : plan.years()) {
            out.append(separator).append("{\"year\":").append(year.year());
            amount(out, "paid", year.paid());
            amount(out, "interest", year.interest());
            amount(out, "repaid", year.repaid());
            amount(out, "balance", year.balance());
            out.append('}');
            separator = ",";
        }
        out.append(']');
        if (monthly) {
            payments(out, plan);
        }
        return out.append('}').toString();
    }

    private static void payments(StringBuilder out, RepaymentPlan plan) {
        out.append(",\"payments\":[");
        String separator = "";
        for (Payment payment : plan.payments()) {
            out.append(separator).append("{\"month\":\"").append(payment.month()).append('"');
            amount(out, "amount", payment.amount());
            amount(out, "interest", payment.interest());
            amount(out, "repayment", payment.repayment());
            amount(out, "balance", payment.balance());
            out.append('}');
            separator = ",";
        }
        out.append(']');
    }

    private static void amount(StringBuilder out, String name, BigDecimal value) {
        out.append(",\"").append(name).append("\":").append(value.toPlainString());
    }
}
