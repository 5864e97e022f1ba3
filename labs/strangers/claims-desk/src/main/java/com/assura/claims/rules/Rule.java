package com.assura.claims.rules;

import com.assura.claims.claim.Claim;

import java.util.Optional;

public interface Rule {

    String name();

    Optional<Finding> check(Claim claim);

    default Optional<Finding> finding(int points, String remark) {
        return Optional.of(new Finding(name(), points, remark));
    }
}
