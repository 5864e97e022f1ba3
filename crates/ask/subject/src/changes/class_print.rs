//! A checksum for each member of a class, by what it does: two builds of the same source have the
//! same ones.
//!
//! Details that the compiler chooses freely are left out: line numbers, the order of the constant
//! pool, the numbers of lambdas and accessors, and byte offsets of jumps. (Jumps are counted in
//! instructions, because the length of an instruction depends on the index of its constant.)

use cafebabe::attributes::{AttributeData, AttributeInfo, BootstrapMethodEntry, CodeData};
use cafebabe::bytecode::{ByteCode, Opcode};
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::hash::{DefaultHasher, Hasher};
use std::panic;

/// The key for what belongs to no single member.
pub(super) const OF_THE_CLASS: &str = "class";

/// Sums by member: one for each method name (all overloads together), and one for each field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ClassPrint {
    members: BTreeMap<String, Vec<u64>>,
    /// The class names no source file. Java compilers record it; generators seldom do.
    pub is_generated: bool,
}

impl ClassPrint {
    /// `None` where the bytes are no class that can be read.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        // The library forbids unsafe code, but adds up what a hostile class may make overflow.
        let read = panic::catch_unwind(|| cafebabe::parse_class(bytes).ok().map(|c| print(&c)));
        read.ok().flatten()
    }

    /// Names of members that differ, came or went.
    pub fn differing(&self, other: &Self) -> Vec<String> {
        let names = self.members.keys().chain(other.members.keys());
        let mut names: Vec<String> = names
            .filter(|name| self.members.get(*name) != other.members.get(*name))
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

fn print(class: &cafebabe::ClassFile<'_>) -> ClassPrint {
    let mut print = ClassPrint {
        is_generated: true,
        ..ClassPrint::default()
    };
    let bootstraps = class.attributes.iter().find_map(|a| match &a.data {
        AttributeData::BootstrapMethods(methods) => Some(methods.as_slice()),
        _ => None,
    });
    let mut whole = Sum::default();
    whole.add(&class.access_flags);
    whole.add(&class.super_class);
    whole.add(&class.interfaces);
    whole.annotations(&class.attributes);
    for attribute in &class.attributes {
        if matches!(attribute.data, AttributeData::SourceFile(_)) {
            print.is_generated = false;
        }
    }
    let mut put = |name: &str, sum: Sum| {
        let name = without_numbers(name).into_owned();
        let sums: &mut Vec<u64> = print.members.entry(name).or_default();
        sums.push(sum.0.finish());
        // Lambdas may come in another order.
        sums.sort_unstable();
    };
    put(OF_THE_CLASS, whole);
    for field in &class.fields {
        let mut sum = Sum::default();
        sum.add(&field.access_flags);
        sum.add(&field.descriptor);
        sum.annotations(&field.attributes);
        for attribute in &field.attributes {
            if let AttributeData::ConstantValue(value) = &attribute.data {
                sum.add(value);
            }
        }
        put(&field.name, sum);
    }
    for method in &class.methods {
        let mut sum = Sum::default();
        sum.add(&method.access_flags);
        sum.add(&method.descriptor);
        sum.annotations(&method.attributes);
        for attribute in &method.attributes {
            if let AttributeData::Code(code) = &attribute.data {
                sum.code(code, bootstraps.unwrap_or_default());
            }
        }
        put(&method.name, sum);
    }
    print
}

/// Hashes texts. An attacker could at most make two classes look alike.
#[derive(Default)]
struct Sum(DefaultHasher);

impl fmt::Write for Sum {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

impl Sum {
    /// What a value says of itself, without the numbers of synthetic names.
    fn add(&mut self, value: &impl fmt::Debug) {
        let text = format!("{value:?}\n");
        self.0.write(without_numbers(&text).as_bytes());
    }

    /// Adds the annotations that exist at run time: `@Cacheable` changes behaviour.
    fn annotations(&mut self, attributes: &[AttributeInfo<'_>]) {
        for attribute in attributes {
            if matches!(
                attribute.data,
                AttributeData::RuntimeVisibleAnnotations(_)
                    | AttributeData::RuntimeVisibleParameterAnnotations(_)
            ) {
                self.add(&attribute.data);
            }
        }
    }

    fn code(&mut self, code: &CodeData<'_>, bootstraps: &[BootstrapMethodEntry<'_>]) {
        let Some(bytecode) = &code.bytecode else {
            return self.0.write(code.code);
        };
        for (offset, opcode) in &bytecode.opcodes {
            self.instruction(bytecode, *offset, opcode, bootstraps);
        }
        let place = |offset: u16| bytecode.get_opcode_index(usize::from(offset));
        for entry in &code.exception_table {
            let range = (
                place(entry.start_pc),
                place(entry.end_pc),
                place(entry.handler_pc),
            );
            self.add(&(range, &entry.catch_type));
        }
    }

    fn instruction(
        &mut self,
        bytecode: &ByteCode<'_>,
        offset: usize,
        opcode: &Opcode<'_>,
        bootstraps: &[BootstrapMethodEntry<'_>],
    ) {
        let to = |jump: i32| {
            let target = i64::try_from(offset).ok()? + i64::from(jump);
            bytecode.get_opcode_index(usize::try_from(target).ok()?)
        };
        match opcode {
            Opcode::Ldc(constant) | Opcode::LdcW(constant) => self.add(constant),
            Opcode::Invokedynamic(call) => {
                let bootstrap = bootstraps.get(usize::from(call.attr_index));
                self.add(&(&call.name_and_type, bootstrap));
            }
            Opcode::Lookupswitch(table) => {
                let cases = table.match_offsets.iter();
                let cases: Vec<_> = cases.map(|(value, jump)| (value, to(*jump))).collect();
                self.add(&("lookup", to(table.default), cases));
            }
            Opcode::Tableswitch(table) => {
                let jumps: Vec<_> = table.jumps.iter().map(|jump| to(*jump)).collect();
                self.add(&("table", to(table.default), table.low, table.high, jumps));
            }
            Opcode::Goto(jump)
            | Opcode::Jsr(jump)
            | Opcode::IfAcmpeq(jump)
            | Opcode::IfAcmpne(jump)
            | Opcode::IfIcmpeq(jump)
            | Opcode::IfIcmpge(jump)
            | Opcode::IfIcmpgt(jump)
            | Opcode::IfIcmple(jump)
            | Opcode::IfIcmplt(jump)
            | Opcode::IfIcmpne(jump)
            | Opcode::Ifeq(jump)
            | Opcode::Ifge(jump)
            | Opcode::Ifgt(jump)
            | Opcode::Ifle(jump)
            | Opcode::Iflt(jump)
            | Opcode::Ifne(jump)
            | Opcode::Ifnonnull(jump)
            | Opcode::Ifnull(jump) => {
                let name = format!("{opcode:?}");
                let name = name.split('(').next().unwrap_or_default();
                let _ = writeln!(self, "{name} {:?}", to(*jump));
            }
            other => self.add(other),
        }
    }
}

/// Names that compilers number, from here on: `lambda$find$3` of javac, `find$lambda$3` of Kotlin,
/// `$anonfun$find$3` of Scala.
const NUMBERED: [&str; 3] = ["lambda$", "access$", "anonfun$"];

/// `lambda$find$` of `lambda$find$3`, `access$` of `access$000`.
fn without_numbers(text: &str) -> std::borrow::Cow<'_, str> {
    if !NUMBERED.iter().any(|name| text.contains(name)) {
        return text.into();
    }
    let mut shorter = String::with_capacity(text.len());
    let mut rest = text;
    let next = |rest: &str| {
        let places = NUMBERED.iter().filter_map(|name| rest.find(name));
        places.min()
    };
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    while let Some(place) = next(rest) {
        let (before, name) = rest.split_at(place);
        shorter.push_str(before);
        let is_name = |c: char| c.is_alphanumeric() || c == '$' || c == '_';
        let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
        let (name, after) = name.split_at(end);
        let parts = name
            .split('$')
            .map(|part| if is_number(part) { "" } else { part });
        shorter.push_str(&parts.collect::<Vec<_>>().join("$"));
        rest = after;
    }
    shorter.push_str(rest);
    shorter.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_synthetic_names_are_left_out() {
        assert_eq!(without_numbers("lambda$find$13"), "lambda$find$");
        assert_eq!(
            without_numbers("a access$102 b lambda$x$0(c"),
            "a access$ b lambda$x$(c"
        );
        assert_eq!(without_numbers("plain12"), "plain12");
        assert_eq!(
            without_numbers("find$lambda$3$lambda$12"),
            "find$lambda$$lambda$"
        );
        assert_eq!(without_numbers("$anonfun$find$13"), "$anonfun$find$");
        assert_eq!(
            without_numbers("$anonfun$find$13$adapted"),
            "$anonfun$find$$adapted"
        );
        assert_eq!(without_numbers("find$$anonfun$2"), "find$$anonfun$");
    }

    #[test]
    fn what_is_no_class_has_no_print() {
        assert_eq!(ClassPrint::of(b"PK"), None);
        assert_eq!(ClassPrint::of(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61]), None);
    }
}
