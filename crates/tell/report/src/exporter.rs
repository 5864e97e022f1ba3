//! Formats in which what was measured is handed on. Each command has one list of them; its options,
//! their help and the files come from that list.

/// A format in which something is handed on.
#[derive(Debug)]
pub struct Exporter<Of, Error> {
    /// The option that asks for it, without its dashes.
    pub option: &'static str,
    /// The variable of the environment that asks for it as well: `TACHO_` and that option.
    pub variable: &'static str,
    /// What the help says of that option.
    pub help: &'static str,
    /// The whole file. It fails when a file of the run that it is made of cannot be read, or by a
    /// fault of Tacho.
    pub export: fn(&Of) -> Result<Vec<u8>, Error>,
}
