package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.text.Normalizer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Scanner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Characters and text. */
final class Texts implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("text.default charset", "UTF-8", Charset::defaultCharset);
        checks.alike(
                "text.charsets",
                () -> Charset.availableCharsets().size() + " "
                        + Charset.availableCharsets().keySet().hashCode());
        for (String name : List.of(
                "ISO-8859-15",
                "windows-1252",
                "UTF-16LE",
                "Shift_JIS",
                "GB18030",
                "EUC-KR",
                "Big5",
                "IBM500",
                "KOI8-R")) {
            checks.alike("text.charset " + name, () -> thereAndBack(name));
        }
        checks.check("text.broken UTF-8", "a\ufffdb, CharacterCodingException", () -> {
            byte[] broken = {'a', (byte) 0xff, 'b'};
            try {
                return UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(broken));
            } catch (CharacterCodingException e) {
                return new String(broken, UTF_8) + ", CharacterCodingException";
            }
        });
        checks.check("text.normalised", "1 2 ffi", () -> {
            String decomposed = Normalizer.normalize("é", Normalizer.Form.NFD);
            return Normalizer.normalize(decomposed, Normalizer.Form.NFC).length() + " " + decomposed.length() + " "
                    + Normalizer.normalize("ﬃ", Normalizer.Form.NFKC);
        });
        checks.check(
                "text.code points",
                "1 of 2, LATIN SMALL LETTER A WITH GRAVE, HAN",
                () -> "👍".codePointCount(0, 2) + " of " + "👍".length() + ", " + Character.getName('à') + ", "
                        + Character.UnicodeScript.of('漢'));
        checks.check("text.regular expression", "2025-12 {year=2025, month=12}", () -> {
            Matcher matcher =
                    Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)").matcher("on 2025-12-24");
            matcher.find();
            return matcher.group() + " {year=" + matcher.group("year") + ", month=" + matcher.group("month") + "}";
        });
        checks.check("text.regular expression of Unicode", "[Ünï, çödé, 漢字]", () -> Pattern.compile(
                        "\\p{L}+", Pattern.UNICODE_CHARACTER_CLASS)
                .matcher("Ünï-çödé 漢字!")
                .results()
                .map(java.util.regex.MatchResult::group)
                .toList());
        checks.check("text.regular expression, great clusters", "[e\u0301, 👍🏽]", () -> Pattern.compile("\\X")
                .matcher("e\u0301👍🏽")
                .results()
                .map(java.util.regex.MatchResult::group)
                .toList());
        checks.check(
                "text.base 64 and hexadecimal",
                "aMOpCg== 68c3a90a",
                () -> Base64.getEncoder().encodeToString("hé\n".getBytes(UTF_8)) + " "
                        + HexFormat.of().formatHex("hé\n".getBytes(UTF_8)));
        checks.check("text.scanned", "1 two 3.5", () -> {
            Scanner scanner = new Scanner("1 two 3.5").useLocale(java.util.Locale.ROOT);
            return scanner.nextInt() + " " + scanner.next() + " " + scanner.nextDouble();
        });
        checks.check(
                "text.concatenated",
                "a1b2.5ctruednulle[1]",
                () -> "a" + 1 + "b" + 2.5 + "c" + true + "d" + null + "e" + List.of(1));
        checks.check("text.streamed", "{1=[a, b], 2=[cc]}", () -> List.of("a", "cc", "b").stream()
                .collect(Collectors.groupingBy(String::length, java.util.TreeMap::new, Collectors.toList())));
    }

    private static String thereAndBack(String name) {
        Charset charset = Charset.forName(name);
        String text = "一";
        if (name.startsWith("I") || name.startsWith("w")) {
            text = "grüße";
        } else if (name.startsWith("K")) {
            text = "привет";
        }
        byte[] bytes = text.getBytes(charset);
        if (!new String(bytes, charset).equals(text)) {
            throw new AssertionError("not what was encoded: " + new String(bytes, charset));
        }
        return HexFormat.of().formatHex(bytes) + " " + charset.aliases().size();
    }
}
