package com.teilwerk.offers.demand;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Counts what is asked for, so that the purchasers know what to put on the shelf. */
@Repository
public class DemandRepository {

    private final JdbcClient jdbc;

    public DemandRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    public void open(String partNo) {
        jdbc.sql("insert into demand (part_no, asked, pieces) values (?, 0, 0)").params(partNo).update();
    }

    @Transactional
    public void count(String partNo, int pieces) {
        jdbc.sql("update demand set asked = asked + 1, pieces = pieces + ? where part_no = ?")
                .params(pieces, partNo)
                .update();
    }

    @Transactional(readOnly = true)
    public Demand of(String partNo) {
        return jdbc.sql("select part_no, asked, pieces from demand where part_no = ?")
                .params(partNo)
                .query((row, number) -> new Demand(row.getString(1), row.getLong(2), row.getLong(3)))
                .optional()
                .orElse(new Demand(partNo, 0, 0));
    }
}
