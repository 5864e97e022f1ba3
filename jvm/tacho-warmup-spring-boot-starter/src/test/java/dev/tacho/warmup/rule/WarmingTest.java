package dev.tacho.warmup.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The same cases as the tests of the Rust crate tacho-warm-up. */
class WarmingTest {

    private static final Rule RULE = new Rule(0, 5_000, 10);
    private static final Answer BAD = new Answer.Bad("status 500");

    private static Answer falling(long i) {
        return new Answer.Good((i < 150 ? 30.0 : 2.0) + (i % 5) * 0.05);
    }

    /** The index of the answer after which it ended. */
    private static long endOf(Warming warming, int kind, LongFunction<Answer> answers) {
        return LongStream.range(0, 20_000).filter(i -> warming.take(kind, answers.apply(i)).isPresent()).findFirst()
                .orElseThrow();
    }

    @Test
    void itEndsWhenTheResponseTimesHaveSettled() {
        Warming warming = new Warming(RULE, 1);
        long last = endOf(warming, 0, WarmingTest::falling);
        assertThat(warming.end()).contains(End.SETTLED);
        assertThat(last).isBetween(290L, 400L);
        // Nothing that comes later changes that.
        assertThat(warming.take(0, BAD)).contains(End.SETTLED);
        assertThat(warming.answered()).isEqualTo(last + 1);
        assertThat(warming.failed()).isZero();
    }

    @Test
    void notBeforeAsManyAsWereAskedFor() {
        Warming warming = new Warming(new Rule(1_000, 5_000, 10), 1);
        assertThat(endOf(warming, 0, WarmingTest::falling)).isEqualTo(999);
        assertThat(warming.end()).contains(End.SETTLED);
    }

    /** As a JVM between two of its compilers: flat at first, and faster later. */
    @Test
    void whatWasFlatBeforeAsManyAsWereAskedForHasNotSettled() {
        Warming warming = new Warming(new Rule(1_000, 5_000, 10), 1);
        LongFunction<Answer> plateau = i -> new Answer.Good((i < 700 ? 5.0 : 1.0) + (i % 5) * 0.01);
        // Half of all are fast, and not only the 300 of a thousand.
        assertThat(endOf(warming, 0, plateau)).isBetween(1_398L, 1_600L);
        assertThat(warming.end()).contains(End.SETTLED);
        Settled settled = warming.kinds().get(0).settled().orElseThrow();
        assertThat(settled.from()).isBetween(690, 710);
        assertThat(settled.typicalMs()).isLessThan(1.1);
    }

    @Test
    void allKindsAreLookedAtWhenAsManyCameAsWereAskedFor() {
        Warming warming = new Warming(new Rule(1_000, 1_000, 10), 2);
        long last = LongStream.range(0, 1_000)
                .filter(i -> warming.take((int) (i % 2), falling(i / 2)).isPresent()).findFirst().orElseThrow();
        assertThat(last).isEqualTo(999);
        assertThat(warming.end()).contains(End.SETTLED);
    }

    @Test
    void everyKindOfRequestHasToSettle() {
        Warming warming = new Warming(RULE, 2);
        for (long i = 0; i < 1_000; i++) {
            assertThat(warming.take(0, falling(i))).isEmpty();
        }
        assertThat(endOf(warming, 1, WarmingTest::falling)).isLessThan(400);
        assertThat(warming.end()).contains(End.SETTLED);
    }

    @Test
    void aLimitEndsWhatDoesNotSettle() {
        Warming warming = new Warming(RULE, 1);
        assertThat(endOf(warming, 0, i -> new Answer.Good(1.0 + i))).isEqualTo(4_999);
        assertThat(warming.end()).contains(End.REQUEST_LIMIT);
    }

    @Test
    void aLimitIsNoExcuseForAServiceThatAnswersNothing() {
        Rule five = new Rule(0, 5, 10);
        Warming failing = new Warming(five, 1);
        assertThat(endOf(failing, 0, i -> BAD)).isEqualTo(4);
        assertThat(failing.end()).contains(End.FAILING);
        Warming answering = new Warming(five, 1);
        assertThat(endOf(answering, 0, i -> i == 0 ? new Answer.Good(2.0) : BAD)).isEqualTo(4);
        assertThat(answering.end()).contains(End.REQUEST_LIMIT);

        Warming silent = new Warming(RULE, 1);
        silent.endWith(End.TIME_LIMIT);
        assertThat(silent.end()).contains(End.FAILING);
        assertThat(silent.lastFailure().orElseThrow()).contains("no request");
        Warming slow = new Warming(RULE, 1);
        slow.take(0, new Answer.Good(900.0));
        slow.endWith(End.TIME_LIMIT);
        assertThat(slow.end()).contains(End.TIME_LIMIT);
        assertThat(slow.lastFailure()).isEmpty();
    }

    @Test
    void failuresOneAfterAnotherEndItAndSingleOnesDoNot() {
        Warming warming = new Warming(RULE, 1);
        for (long i = 0; i < 3_000; i++) {
            assertThat(warming.take(0, i % 3 == 0 ? new Answer.Good(1.0 + i) : BAD)).isEmpty();
        }
        assertThat(endOf(warming, 0, i -> BAD)).isLessThan(10);
        assertThat(warming.end()).contains(End.FAILING);
        assertThat(warming.lastFailure()).contains("status 500");
    }

    @Test
    void whatAUserOfAColdServiceWouldSeeIsTheMedianOfTheFirstFive() {
        Warming warming = new Warming(RULE, 2);
        for (double ms : new double[] {9.0, 50.0, 7.0, 8.0}) {
            warming.take(0, new Answer.Good(ms));
        }
        assertThat(warming.kinds().get(0).firstMs()).hasValue(8.5);
        warming.take(0, new Answer.Good(1.0));
        warming.take(0, new Answer.Good(1.0));
        assertThat(warming.kinds().get(0).firstMs()).hasValue(8.0);
        assertThat(warming.kinds().get(1).firstMs()).isEmpty();
    }
}
