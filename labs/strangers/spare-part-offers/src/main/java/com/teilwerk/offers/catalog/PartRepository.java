package com.teilwerk.offers.catalog;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

@Repository
public class PartRepository {

    private static final String BY_NUMBER = """
            select part_no, name, maker, list_price, weight_g, discount_group
              from part
             where part_no = :partNo""";
    private static final String INSERT = """
            insert into part (part_no, name, maker, list_price, weight_g, discount_group)
            values (?, ?, ?, ?, ?, ?)""";

    private final JdbcClient jdbc;

    public PartRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional(readOnly = true)
    public Optional<Part> find(String partNo) {
        return jdbc.sql(BY_NUMBER).param("partNo", partNo).query(PartRepository::part).optional();
    }

    @Transactional
    public void add(Part part) {
        jdbc.sql(INSERT)
                .params(part.partNo(), part.name(), part.maker(), part.listPrice(), part.weightGrams(),
                        String.valueOf(part.discountGroup()))
                .update();
    }

    private static Part part(ResultSet row, int number) throws SQLException {
        return new Part(
                row.getString("part_no"),
                row.getString("name"),
                row.getString("maker"),
                row.getBigDecimal("list_price"),
                row.getInt("weight_g"),
                row.getString("discount_group").charAt(0));
    }
}
