//! What the agent is asked for.

use serde::Serialize;

/// Calls that are counted and timed, with nothing known of the application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Probe {
    /// Names it in the answer.
    pub id: String,
    /// Classes and methods that are instrumented.
    #[serde(flatten)]
    pub methods: MethodPattern,
    /// What distinguishes calls, apart from outcome and stack. The answer has the keys in this
    /// order.
    pub keys: Vec<Key>,
    /// A call inside a call of the same probe with the same first key counts once, for example a
    /// class loader that asks its parent.
    pub outermost: bool,
    /// What the methods do with one of their arguments.
    #[serde(flatten)]
    pub hand_over: Option<HandOver>,
    /// The type of the object that is handed over: a class or an interface. Without it, any object
    /// counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_type: Option<String>,
}

/// Tasks that wait between two threads. A call that hands over a task counts when a thread takes
/// the task, and its duration is the waiting time. Its only key is the pool: the name of the thread
/// that took it, without the number at its end. A task that nobody takes does not count, for
/// example if its submitter runs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HandOver {
    /// Hands this argument, from 1, to another thread.
    Hands(u8),
    /// Takes this argument, from 1, or the object whose method it is (0).
    Takes(u8),
}

/// Methods by class and name. In a name `*` is any text, dots included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct MethodPattern {
    /// With its package: `com.acme.Shop`, `com.acme.*`.
    pub class: String,
    /// Also what extends or implements it, loaded now or later.
    pub subtypes: bool,
    /// Names, each with a descriptor where one overload is meant: `render`, `get*`, `<init>`,
    /// `find(Ljava/lang/String;)V`.
    pub methods: Vec<String>,
}

impl MethodPattern {
    /// Methods of exactly this class.
    #[must_use]
    pub fn of(class: &str, methods: &[&str]) -> Self {
        Self {
            class: class.to_owned(),
            subtypes: false,
            methods: methods.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    /// Also of all that extends or implements it.
    #[must_use]
    pub fn with_subtypes(mut self) -> Self {
        self.subtypes = true;
        self
    }
}

impl Probe {
    /// Counts every call of these methods, by stack alone.
    #[must_use]
    pub fn new(id: &str, methods: MethodPattern) -> Self {
        Self {
            id: id.to_owned(),
            methods,
            keys: Vec::new(),
            outermost: false,
            hand_over: None,
            of_type: None,
        }
    }

    /// Also tells calls apart by this.
    #[must_use]
    pub fn by(mut self, key: Key) -> Self {
        self.keys.push(key);
        self
    }

    /// Counts calls inside calls with the same first key once.
    #[must_use]
    pub fn outermost(mut self) -> Self {
        self.outermost = true;
        self
    }

    /// Calls hand an argument, from 1, to another thread.
    #[must_use]
    pub fn hands(mut self, argument: u8) -> Self {
        self.hand_over = Some(HandOver::Hands(argument));
        self
    }

    /// Calls take what any other probe hands over: an argument, from 1, or the object itself (0).
    #[must_use]
    pub fn takes(mut self, argument: u8) -> Self {
        self.hand_over = Some(HandOver::Takes(argument));
        self
    }

    /// Follows only objects of this type. The class of the method has to see the type.
    #[must_use]
    pub fn of_type(mut self, class: &str) -> Self {
        self.of_type = Some(class.to_owned());
        self
    }

    /// Every `Throwable` that is constructed, by class and message, including swallowed ones.
    /// (Exceptions that the JVM itself throws repeatedly from compiled code are constructed only
    /// once, unless -XX:-OmitStackTraceInFastThrow is set.)
    #[must_use]
    pub fn exceptions(id: &str) -> Self {
        Self::new(id, MethodPattern::of("java.lang.Throwable", &["<init>"]))
            .by(Key::ReceiverClass)
            .by(Key::Message)
    }

    /// Every class that is looked for by name, found or not (then the outcome is
    /// `ClassNotFoundException`), by name and the loader that was asked first.
    #[must_use]
    pub fn class_look_ups(id: &str) -> Self {
        let methods = MethodPattern::of("java.lang.ClassLoader", &["loadClass"]).with_subtypes();
        Self::new(id, methods)
            .by(Key::Argument(1))
            .by(Key::ReceiverLoader)
            .outermost()
    }

    /// Every resource that is looked for by name (`META-INF/services/...`), by name and the loader
    /// that was asked first.
    #[must_use]
    pub fn resource_look_ups(id: &str) -> Self {
        let names = &["getResource", "getResources", "getResourceAsStream"];
        Self::new(
            id,
            MethodPattern::of("java.lang.ClassLoader", names).with_subtypes(),
        )
        .by(Key::Argument(1))
        .by(Key::ReceiverLoader)
        .outermost()
    }
}

/// What tells calls of one probe apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Key {
    /// The n-th argument, from 1: its text when it is a `String`, `Class`, number, enum, `URI`,
    /// address or the like of the JDK's own, else its class alone (`@com.acme.Order`). No method of
    /// the application is called.
    Argument(u8),
    /// Class of the result.
    ResultClass,
    /// Class of the object whose method it is.
    ReceiverClass,
    /// Class, and name, of the object whose method it is, a class loader.
    ReceiverLoader,
    /// `package.Class.method` that was called.
    Method,
    /// The message of a `Throwable` that is being constructed; for constructors of
    /// `java.lang.Throwable` alone.
    Message,
}

/// Traced calls that are kept one by one instead of added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct OneByOne {
    /// Keeps those alone that took at least so long.
    pub slower_than_ns: u64,
    /// The most calls that are kept; the agent keeps at most 100.
    pub calls: u32,
}

/// Calls that are looked at one by one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Watch {
    /// Class and methods that are watched.
    #[serde(flatten)]
    pub methods: MethodPattern,
    /// The most calls that are kept.
    pub at_most: u32,
    /// Keeps those alone that took at least so long.
    pub slower_than_ns: u64,
    /// Keeps those alone that ended by an exception.
    pub only_failed: bool,
    /// How deep into fields, elements and entries.
    pub depth: u8,
    /// Longest text for one argument or result.
    pub length: u32,
    /// May call `toString` of the application's own objects; else their fields are read.
    pub to_string: bool,
}
