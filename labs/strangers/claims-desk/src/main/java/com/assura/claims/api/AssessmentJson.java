package com.assura.claims.api;

import com.assura.claims.claim.Claim;
import com.assura.claims.rules.Assessment;
import com.assura.claims.rules.Finding;

final class AssessmentJson {

    private AssessmentJson() {
    }

    static String render(Assessment assessment) {
        Claim claim = assessment.claim();
        StringBuilder out = new StringBuilder(512).append('{');
        text(out, "claim", claim.number()).append(',');
        text(out, "product", claim.product().name()).append(',');
        text(out, "occurred", claim.occurred().toString()).append(',');
        amount(out, "claimed", claim.claimedCents()).append(',');
        amount(out, "reserve", assessment.reserveCents()).append(',');
        text(out, "route", assessment.route().name()).append(",\"score\":").append(assessment.score());
        out.append(",\"findings\":[");
        String separator = "";
        for (Finding finding : assessment.findings()) {
            out.append(separator).append('{');
            text(out, "rule", finding.rule()).append(",\"points\":").append(finding.points()).append(',');
            text(out, "remark", finding.remark()).append('}');
            separator = ",";
        }
        return out.append("]}").toString();
    }

    private static StringBuilder text(StringBuilder out, String name, String value) {
        return out.append('"').append(name).append("\":\"").append(value.replace("\"", "\\\"")).append('"');
    }

    private static StringBuilder amount(StringBuilder out, String name, long cents) {
        out.append('"').append(name).append("\":").append(cents / 100).append('.');
        long rest = cents % 100;
        return (rest < 10 ? out.append('0') : out).append(rest);
    }
}
