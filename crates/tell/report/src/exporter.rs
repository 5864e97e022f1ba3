//! Formats in which what was measured is handed on. Each command has one list of them; its options,
//! their help and the files come from that list.

/// A format in which something is handed on.
pub trait Exporter: Sync {
    /// What is handed on.
    type Of;
    /// Why it cannot be.
    type Error;

    /// The option that asks for it, without its dashes.
    fn option(&self) -> &'static str;

    /// What the help says of that option.
    fn help(&self) -> &'static str;

    /// The whole file.
    ///
    /// # Errors
    /// When a file of the run that it is made of cannot be read, or by a fault of Tacho.
    fn export(&self, of: &Self::Of) -> Result<Vec<u8>, Self::Error>;
}
