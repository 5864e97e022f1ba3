//! Each cause, on every command that can meet it: the message names the cause, the exit code fits
//! it, and nothing is left behind.

use crate::house::{House, says_one_of};
use crate::service::{Server, Service};
use crate::support::Told;
use rustix::process::{Pid, Signal};

/// No file may grow beyond 8 KiB.
fn with_small_files(house: &House, arguments: &str) -> Told {
    let told = house.run(house.shell(&format!("ulimit -f 8; exec \"$0\" {arguments}")));
    println!("{arguments}: {told:#?}");
    told
}

#[test]
fn a_limit_on_the_size_of_files_is_named_by_each_command_that_writes() {
    let mut house = House::with("well", "launches: 1\n");
    let told = house.run(house.tacho("run experiment.yaml --runs whole"));
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let server = Server::start(&mut house, "well");
    let url = format!("http://127.0.0.1:{}/ping", server.1);
    house.write("gc.log", "[0.100s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.200ms\n");
    let arrivals: String = (0..1000)
        .map(|i| format!("{:.4}\n", f64::from(i) / 1e4))
        .collect();
    house.write("arrivals.csv", &arrivals);
    for command in [
        "run experiment.yaml",
        "fit experiment.yaml --only cpu --cpu 2 --cpu-from 1 --cpu-step 500m --launches 1",
        "warmup experiment.yaml --rate 50 --duration 1s --recipes none,20",
        &format!("load {url} -n 2000"),
        &format!("load {url} --replay arrivals.csv"),
        "gc gc.log --html gc.html",
        "report whole/*",
    ] {
        let told = with_small_files(&house, command);
        assert_eq!(told.code, Some(4), "{command}: {told:#?}");
        says_one_of(&told, &["ulimit -f"]);
        assert!(
            !told.err.contains("free some space"),
            "{command}: {told:#?}"
        );
    }
    house.is_clean();
}

/// All at once, since each waits for as long as it is patient.
#[test]
fn a_stopped_jvm_is_said_to_be_stopped_by_each_instrument() {
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    let pid = Pid::from_raw(i32::try_from(service.pid()).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::STOP).unwrap();
    let told: Vec<(&str, Told)> = std::thread::scope(|scope| {
        let asked = [
            ("profile", "-d 1s"),
            ("watch", "com.acme.Shop.work -d 1s"),
            ("trace", "com.acme.Shop.work -d 1s"),
            ("exceptions", "-d 1s"),
            ("classes", "-d 1s"),
            ("memory", ""),
        ]
        .map(|(name, rest)| {
            let command = house.tacho(&format!("{name} {} {rest}", service.pid()));
            let house = &house;
            scope.spawn(move || (name, house.run(command)))
        });
        asked.map(|thread| thread.join().unwrap()).into()
    });
    rustix::process::kill_process(pid, Signal::CONT).unwrap();
    for (name, told) in told {
        // The mappings are the kernel's: the memory is told without the JVM.
        let code = if name == "memory" { 0 } else { 4 };
        assert_eq!(told.code, Some(code), "{name}: {told:#?}");
        says_one_of(&told, &["it is stopped"]);
    }
    service.is_as_it_was();
    house.is_clean();
}

#[test]
fn of_two_methods_the_one_that_is_unknown_is_named() {
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    let told = house.run(house.tacho(&format!(
        "trace {} com.acme.Shop.work com.acme.Shop.none -d 1s",
        service.pid()
    )));
    assert_eq!(told.code, Some(0), "{told:#?}");
    let said = format!("{}{}", told.out, told.err);
    assert!(
        said.contains("no loaded class has a method com.acme.Shop.none;"),
        "{told:#?}"
    );
    service.is_as_it_was();
    house.is_clean();
}
