//! Holm's procedure with weights. It decides which of many questions are answered such that the
//! chance of even one false answer is at most the level, however the questions depend on each other
//! (Holm, "A simple sequentially rejective multiple test procedure", 1979).

/// A question, and its p-value: the chance of such data, or more extreme data, where there is no
/// effect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Its share of the error that is allowed, relative to the other questions.
    pub weight: f64,
    /// The p-value, from 0 to 1.
    pub chance: f64,
}

/// For each question, in the given order, whether it is answered.
#[must_use]
pub fn answered(questions: &[Question], level: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..questions.len()).collect();
    let severity = |i: &usize| questions[*i].chance / questions[*i].weight;
    order.sort_by(|a, b| severity(a).total_cmp(&severity(b)));
    let mut answered = vec![false; questions.len()];
    // Summed from the end, so that rounding never makes the rest smaller than the question's own
    // weight.
    let mut left = 0.0;
    let mut of_rest: Vec<f64> = order
        .iter()
        .rev()
        .map(|i| {
            left += questions[*i].weight;
            left
        })
        .collect();
    of_rest.reverse();
    for (i, left) in order.into_iter().zip(of_rest) {
        let Question { weight, chance } = questions[i];
        if chance > level * weight / left {
            break;
        }
        answered[i] = true;
    }
    answered
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn even(chances: &[f64]) -> Vec<Question> {
        let question = |chance: &f64| Question {
            weight: 1.0,
            chance: *chance,
        };
        chances.iter().map(question).collect()
    }

    #[test]
    fn each_answer_leaves_more_for_the_others() {
        // 0.05 / 4, / 3, / 2: the last but one is above 0.025, and ends it for the last as well.
        let chances = [0.03, 0.01, 0.016, 0.04];
        assert_eq!(answered(&even(&chances), 0.05), [false, true, true, false]);
        assert_eq!(answered(&even(&[0.03]), 0.05), [true]);
        assert!(answered(&[], 0.05).is_empty());
    }

    #[test]
    fn a_heavier_question_gets_more_of_the_level() {
        let with = |weight: f64, chance: f64| Question { weight, chance };
        let chances = [with(0.8, 0.03), with(0.2, 0.03)];
        assert_eq!(answered(&chances, 0.05), [true, true]);
        let chances = [with(0.8, 0.03), with(0.2, 0.06)];
        assert_eq!(answered(&chances, 0.05), [true, false]);
        let chances = [with(0.2, 0.03), with(0.8, 0.06)];
        assert_eq!(answered(&chances, 0.05), [false, false]);
    }

    proptest! {
        /// Never fewer than Bonferroni's, never more than each question by itself.
        #[test]
        fn it_lies_between_bonferroni_and_no_correction(
            chances in proptest::collection::vec(0.0f64..1.0, 1..40),
        ) {
            let told = answered(&even(&chances), 0.05);
            for (told, chance) in told.iter().zip(&chances) {
                prop_assert!(*told || *chance > 0.05 / chances.len() as f64);
                prop_assert!(!*told || *chance <= 0.05);
            }
        }
    }
}
