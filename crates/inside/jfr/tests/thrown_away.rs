//! Compiled code that is thrown away again and again, as a recording with the settings of a
//! diagnosis shows it on each JDK; and that a program which only gets warm shows nothing of it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use tacho_diagnosis::{MovedCount, Own, moved_counts};
use tacho_jfr::{EVENTS, Filling, Reading, flags, read_work};
use tacho_run_folder::{Dissection, LedgerKind};
use tacho_test_jdks::{Jdk, jdks, oldest};

const ROUNDS: u64 = 60;

/// `turns`: each round gives a call site another target that says the same. `traps`: each round
/// runs into traps that the compiler does not take out (`-XX:-OmitStackTraceInFastThrow`).
const PROGRAM: &str = r#"
package shop;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;

public class Does {
    private static final MutableCallSite SITE = new MutableCallSite(on());
    private static final MethodHandle FLAG = SITE.dynamicInvoker();
    private static final int[] TABLE = new int[100];

    public static void main(String[] arguments) throws Throwable {
        boolean turns = arguments[0].equals("turns");
        int misses = arguments[0].equals("traps") ? 101 : 100;
        long all = 0;
        for (int round = 0; round < 60; round++) {
            if (turns) {
                SITE.setTarget(on());
            }
            for (int i = 0; i < 20; i++) {
                all += sum(2000);
            }
            for (int i = 0; i < 2000; i++) {
                all += at(i % misses);
            }
        }
        System.out.println(all);
    }

    /** Another one each time: nothing is thrown away for one that is there already. */
    static MethodHandle on() {
        return MethodHandles.constant(boolean.class, true);
    }

    static int sum(int most) throws Throwable {
        int sum = 0;
        for (int i = 0; i < most; i++) {
            sum = sum * 31 + ((boolean) FLAG.invokeExact() ? i : 1);
        }
        return sum;
    }

    static int at(int place) {
        try {
            return TABLE[place];
        } catch (ArrayIndexOutOfBoundsException nobodySees) {
            return 7;
        }
    }
}
"#;

fn recorded(jdk: &Jdk, folder: &Path, does: &str) -> Dissection {
    let at = |name: &str| folder.join(name);
    let recording = at(&format!("{does}.jfr"));
    let mut launch = jdk.tool("java");
    launch
        .args(flags(&at("events.jfc"), &recording).unwrap())
        // Compilers that are waited for: what is compiled does not depend on who else is busy.
        .args(["-Xbatch", "-XX:-OmitStackTraceInFastThrow", "-cp"])
        .arg(folder)
        .args(["shop.Does", does]);
    run(&mut launch);
    let reading = Reading {
        recording: &recording,
        java: &jdk.path("java"),
        stop: &AtomicBool::new(false),
    };
    let own = Own::of(&["shop.".to_owned()]);
    let mut filling = Filling::new(&own, 0.0);
    let unread = read_work(&reading, &mut |event| filling.add(event)).unwrap();
    assert_eq!(unread, 0);
    let kinds = [LedgerKind::Compilations, LedgerKind::Deoptimisations];
    Dissection {
        cell: does.to_owned(),
        own: vec!["shop.".to_owned()],
        ledgers: filling.finish("events", ROUNDS, &kinds),
        ..Dissection::default()
    }
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}

fn of_code(moved: &[MovedCount]) -> Vec<(&str, &str)> {
    let of_code = moved.iter().filter(|m| m.what.contains("compiled"));
    of_code
        .map(|m| (m.owner.as_deref().unwrap(), m.what.as_str()))
        .collect()
}

#[test]
fn what_is_thrown_away_again_and_again_is_told_with_its_owner() {
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        std::fs::write(folder.join("Does.java"), PROGRAM).unwrap();
        std::fs::write(folder.join("events.jfc"), EVENTS).unwrap();
        let mut compile = oldest().tool("javac");
        compile.args(["--release", "17", "-d", ".", "Does.java"]);
        run(compile.current_dir(folder));

        let warms_up = recorded(jdk, folder, "nothing");
        let again = recorded(jdk, folder, "nothing");
        assert_eq!(of_code(&moved_counts(&warms_up, &again)), []);

        let turns = moved_counts(&warms_up, &recorded(jdk, folder, "turns"));
        let compilations = "compilations of methods that are compiled again and again";
        let told = of_code(&turns);
        assert!(
            told.contains(&("shop.Does.sum", compilations)),
            "JDK {}: {turns:#?}",
            jdk.release
        );

        let traps = moved_counts(&warms_up, &recorded(jdk, folder, "traps"));
        let trapped = traps
            .iter()
            .find(|m| m.what == "compiled code left by a trap");
        let trapped = trapped.unwrap_or_else(|| panic!("JDK {}: {traps:#?}", jdk.release));
        assert_eq!(trapped.owner.as_deref(), Some("shop.Does.at"));
        let mostly = trapped.mostly.as_deref().unwrap();
        assert!(mostly.starts_with("range_check: "), "{mostly}");
    }
}
