//! What is wrong with a quantity, and what to write instead.

/// A text that is not the quantity that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` {slip}; write {expected}")]
pub struct QuantityError {
    /// As it was written, without the space around it.
    pub found: String,
    /// What is wrong.
    pub slip: Slip,
    /// What to write: `a duration such as 500ms, 10s or 2m`.
    pub expected: &'static str,
}

/// What is wrong with it. The text follows the quantity: `10` *has no unit*.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Slip {
    /// `fast`, `-1s`, `1.2.3s`
    #[error("does not begin with a number")]
    NoNumber,
    /// `1,5s`: a comma groups thousands.
    #[error("has a comma that does not group thousands; the decimal sign is a point")]
    Comma,
    /// A number alone: `10`
    #[error("has no unit")]
    NoUnit,
    /// A word after the number that is no unit: `10parsecs`
    #[error("has the unknown unit `{0}`")]
    UnknownUnit(String),
    /// Below what can be.
    #[error("is too small")]
    TooSmall,
    /// Above what can be.
    #[error("is too large")]
    TooLarge,
    /// `1.5` where things are counted.
    #[error("is no whole number")]
    NotWhole,
}

impl From<QuantityError> for String {
    fn from(error: QuantityError) -> Self {
        error.to_string()
    }
}
