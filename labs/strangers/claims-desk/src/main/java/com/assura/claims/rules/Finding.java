package com.assura.claims.rules;

/** What a rule noticed; points above zero speak for a closer look. */
public record Finding(String rule, int points, String remark) {
}
