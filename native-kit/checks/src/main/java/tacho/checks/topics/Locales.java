package tacho.checks.topics;

import java.text.BreakIterator;
import java.text.Collator;
import java.text.DecimalFormat;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Languages and countries: numbers, dates, money, names and order. */
final class Locales implements Topic {

    private static final List<Locale> SEVERAL = List.of(
            Locale.US, Locale.GERMANY, Locale.FRANCE, Locale.JAPAN, Locale.of("ar", "EG"), Locale.of("hi", "IN"));

    @Override
    public void check(Checks checks) {
        checks.check("locales.number", "1.234.567,891", () -> NumberFormat.getInstance(Locale.GERMANY)
                .format(1234567.891));
        checks.check("locales.number read", "1234.5", () -> NumberFormat.getInstance(Locale.GERMANY)
                .parse("1.234,5"));
        checks.check("locales.compact number", "1 Million", () -> NumberFormat.getCompactNumberInstance(
                        Locale.GERMANY, NumberFormat.Style.LONG)
                .format(1_000_000));
        checks.alike("locales.numbers in several", () -> SEVERAL.stream()
                .map(l -> NumberFormat.getInstance(l).format(-9876.5))
                .toList());
        checks.alike("locales.money in several", () -> SEVERAL.stream()
                .map(l -> NumberFormat.getCurrencyInstance(l).format(12.5))
                .toList());
        checks.alike("locales.dates in several", () -> SEVERAL.stream()
                .map(l -> DateTimeFormatter.ofLocalizedDate(FormatStyle.LONG)
                        .withLocale(l)
                        .format(LocalDate.of(2025, 12, 24)))
                .toList());
        checks.check(
                "locales.name of a day",
                "Montag lundi 月曜日",
                () -> DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, Locale.GERMANY)
                        + " " + DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, Locale.FRANCE) + " "
                        + DayOfWeek.MONDAY.getDisplayName(TextStyle.FULL, Locale.JAPAN));
        checks.check(
                "locales.names of languages",
                "Deutsch, allemand, ドイツ語",
                () -> Locale.GERMAN.getDisplayLanguage(Locale.GERMAN) + ", "
                        + Locale.GERMAN.getDisplayLanguage(Locale.FRANCE) + ", "
                        + Locale.GERMAN.getDisplayLanguage(Locale.JAPAN));
        checks.check("locales.currency", "JPY 0 ¥ Yen", () -> {
            Currency yen = Currency.getInstance(Locale.JAPAN);
            return yen.getCurrencyCode() + " " + yen.getDefaultFractionDigits() + " " + yen.getSymbol(Locale.US) + " "
                    + yen.getDisplayName(Locale.US).replace("Japanese ", "");
        });
        checks.check("locales.order", "[Apfel, Äpfel, Zebra]", () -> {
            List<String> words = new ArrayList<>(List.of("Zebra", "Äpfel", "Apfel"));
            words.sort(Collator.getInstance(Locale.GERMANY));
            return words;
        });
        checks.check("locales.message", "3 Dateien am 24.12.2025", () -> new MessageFormat(
                        "{0,choice,0#keine Dateien|1#eine Datei|1<{0,number,integer} Dateien} am {1}", Locale.GERMANY)
                .format(new Object[] {3, "24.12.2025"}));
        checks.check(
                "locales.formatted",
                "1.234,50 | 1,234.50",
                () -> String.format(Locale.GERMANY, "%,.2f", 1234.5) + " | "
                        + String.format(Locale.US, "%,.2f", 1234.5));
        checks.check("locales.pattern of decimals", "007,50", () -> {
            DecimalFormat format = (DecimalFormat) NumberFormat.getInstance(Locale.FRANCE);
            format.applyPattern("000.00");
            return format.format(7.5);
        });
        checks.check(
                "locales.case",
                "İ i ß SS",
                () -> "i".toUpperCase(Locale.of("tr")) + " " + "I".toLowerCase(Locale.ROOT) + " ß "
                        + "ß".toUpperCase(Locale.GERMANY));
        checks.check("locales.words and sentences", "[How,  , are,  , you, ?,  , Fine, .] 2", () -> {
            String text = "How are you? Fine.";
            BreakIterator words = BreakIterator.getWordInstance(Locale.US);
            words.setText(text);
            List<String> found = new ArrayList<>();
            for (int from = words.first(), to = words.next(); to != BreakIterator.DONE; from = to, to = words.next()) {
                found.add(text.substring(from, to));
            }
            BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.US);
            sentences.setText(text);
            int count = 0;
            while (sentences.next() != BreakIterator.DONE) {
                count++;
            }
            return found + " " + count;
        });
        checks.check("locales.matched", "de-CH", () -> Locale.lookup(
                        Locale.LanguageRange.parse("de-CH;q=1.0,en;q=0.5"),
                        Arrays.asList(Locale.ENGLISH, Locale.forLanguageTag("de-CH")))
                .toLanguageTag());
    }
}
