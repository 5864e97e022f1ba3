package tacho.nativekit.driver.arguments;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentFileTest {

    @Test
    void wordsAreSeparatedByWhiteSpace() {
        assertEquals(List.of("-cp", "a.jar:b.jar", "Main"), ArgumentFile.words("-cp a.jar:b.jar\n\t Main\r\n"));
    }

    @Test
    void commentsReachToTheEndOfTheLine() {
        assertEquals(List.of("-g", "-Ob", "a#b"), ArgumentFile.words("# all of it\n-g # some\n-Ob a#b"));
    }

    @Test
    void quotesHoldTogether() {
        assertEquals(List.of("a b", "c'd", "e\"f", "name=g h"), ArgumentFile.words("\"a b\" \"c'd\" 'e\"f' name=\"g h\""));
    }

    @Test
    void withinQuotesABackslashEscapes() {
        assertEquals(List.of("\\Qa.jar\\E", "tab\there", "quote\""),
                ArgumentFile.words("\"\\\\Qa.jar\\\\E\" \"tab\\there\" \"quote\\\"\""));
    }

    @Test
    void outsideQuotesABackslashIsItself() {
        assertEquals(List.of("\\Qa.jar\\E"), ArgumentFile.words("\\Qa.jar\\E"));
    }

    @Test
    void aBackslashAtTheEndOfAQuotedLineContinuesIt() {
        assertEquals(List.of("a.jar:b.jar"), ArgumentFile.words("\"a.jar:\\\n    b.jar\""));
    }

    @Test
    void anEmptyFileHasNoWords() {
        assertEquals(List.of(), ArgumentFile.words(" \n# nothing"));
    }
}
