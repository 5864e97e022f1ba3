package com.northpost.rates.book;

import com.northpost.commons.Measure;
import com.northpost.commons.MeasureUnit;
import com.northpost.commons.Money;
import com.northpost.commons.Texts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the rate sheet that the purchasing department exports. */
public final class RateBookReader {

    private static final int COLUMNS = 8;

    public RateBook read(String resource) {
        RateBook book = new RateBook();
        try (InputStream in = RateBookReader.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("Missing resource " + resource);
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            String line;
            int number = 0;
            while ((line = reader.readLine()) != null) {
                number++;
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                book.add(RateCard.layOut(parse(line, number)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return book;
    }

    private Tariff parse(String line, int number) {
        List<String> columns = Texts.parts(line, ';');
        if (columns.size() != COLUMNS) {
            throw new IllegalStateException("Line " + number + " has " + columns.size() + " columns");
        }
        return new Tariff(
                columns.get(0),
                ServiceLevel.valueOf(columns.get(1)),
                Zone.valueOf(columns.get(2)),
                Measure.parse(columns.get(3), MeasureUnit.KILOGRAM),
                Measure.parse(columns.get(4), MeasureUnit.KILOGRAM),
                Money.euro(columns.get(5)),
                Money.euro(columns.get(6)),
                Integer.parseInt(columns.get(7)));
    }
}
