//! libFuzzer over the target that `TACHO_FUZZ` names when this is built. One program for each: it
//! holds only what its reader reaches, and libFuzzer, which looks at every counter of the program
//! after every input, has few to look at.
#![no_main]

use tacho_fuzz::{Target, target};

const TARGET: &Target = match target(env!("TACHO_FUZZ")) {
    Some(target) => target,
    None => panic!("TACHO_FUZZ names no target"),
};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));
