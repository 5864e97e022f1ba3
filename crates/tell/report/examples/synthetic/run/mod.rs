//! A made-up run: 4 variants under 2 sets of limits, 5 launches each, one of them failed and one
//! invalid. The same numbers every time.

mod diagnosis;
mod launch;
mod memory;
mod metrics;
mod model;
mod phases;
mod results;
mod warm_up;

use model::{LIMITS, Model, VARIANTS};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use tacho_run_folder::{
    Cell, Machine, PhaseKind, PhasePlan, Plan, PlannedLaunch, PreparedVariant, RunFolder,
    RunHeader, SubjectFacts, Sweep,
};

/// Launches of each cell.
const LAUNCHES: u32 = 5;

/// Writes the whole folder.
pub fn write(root: &Path) -> Result<RunFolder, Box<dyn Error>> {
    let folder = RunFolder::create(root)?;
    let plan = plan();
    folder.write_header(&header())?;
    folder.write_plan(&plan)?;
    for variant in variants() {
        folder.write_variant(&variant)?;
    }
    for planned in &plan.launches {
        let cell = plan
            .cells
            .iter()
            .find(|c| c.id == planned.cell)
            .ok_or("a launch of no cell")?;
        let model = Model::of(&cell.variant, &cell.limits, planned);
        launch::write(&folder, planned, &model)?;
    }
    folder.write_results(&results::results(&tacho_run::load(&folder)?))?;
    Ok(folder)
}

fn header() -> RunHeader {
    RunHeader {
        format: tacho_run_folder::FORMAT,
        tacho: "0.1.0".into(),
        id: "20261121-211327-cold-start".into(),
        name: "cold-start (made-up numbers)".into(),
        started_at: "2026-11-21T21:13:27Z".into(),
        finished_at: Some("2026-11-21T21:41:02Z".into()),
        interrupted: false,
        machine: Machine {
            cpus: 2,
            cpu_model: "Example CPU @ 2.60 GHz".into(),
            memory_bytes: 24 << 30,
            kernel: "6.1.0-28-amd64".into(),
            os: "Debian GNU/Linux 12 (bookworm)".into(),
            cgroup: "v2".into(),
        },
        subject: SubjectFacts {
            artifact: Some("/srv/cold-start/target/app.jar".into()),
            kind: Some("jar".into()),
            framework: Some("Spring Boot 4.1.2".into()),
            java_release: Some(25),
        },
    }
}

fn plan() -> Plan {
    let cells: Vec<Cell> = LIMITS
        .iter()
        .flat_map(|(name, cpu, memory)| {
            VARIANTS.iter().map(move |variant| Cell {
                id: format!("{variant}@{name}"),
                variant: (*variant).into(),
                limits: tacho_run_folder::Limits {
                    name: (*name).into(),
                    cpu: Some(*cpu),
                    memory_bytes: Some(*memory),
                },
            })
        })
        .collect();
    let mut launches: Vec<PlannedLaunch> = (1..=LAUNCHES)
        .flat_map(|replicate| {
            cells.iter().map(move |cell| PlannedLaunch {
                number: 0,
                cell: cell.id.clone(),
                replicate,
                again: None,
            })
        })
        .collect();
    // Interleaved: within a round, a fixed shuffle.
    for round in launches.chunks_mut(cells.len()) {
        let turn = round[0].replicate as usize * 3 % cells.len();
        round.rotate_left(turn);
    }
    for (launch, number) in launches.iter_mut().zip(1..) {
        launch.number = number;
    }
    let phase = |label: &str, kind| PhasePlan {
        label: label.into(),
        kind,
    };
    Plan {
        pods: 1,
        warm_up: Some(Sweep {
            objective_ms: Some(50.0),
        }),
        seed: 4_711,
        launches_per_cell: LAUNCHES,
        looks: Vec::new(),
        aa: None,
        duet: None,
        rest_s: 2.0,
        baseline: "jar".into(),
        threshold: 0.05,
        cells,
        phases: vec![
            phase("cold", PhaseKind::Cold { requests: 100 }),
            phase("closed", PhaseKind::closed(100_000, 1_000)),
            phase("rest", PhaseKind::Rest { duration_s: 2.0 }),
            phase(
                "open",
                PhaseKind::Open {
                    rate: 400.0,
                    duration_s: 20.0,
                    connections: 100,
                },
            ),
        ],
        requests: None,
        apart: false,
        launches,
        diagnosis: Vec::new(),
        checks: vec!["p99<50ms".into(), "ready<1s".into()],
        notes: vec![
            "`native` was left out of the first draft of the plan: no native-image was found then."
                .into(),
        ],
    }
}

fn variants() -> Vec<PreparedVariant> {
    let java = "/usr/lib/jvm/temurin-25/bin/java";
    let make = |name: &str, command: &[&str], application: u64, runtime: u64| PreparedVariant {
        warm_up: None,
        name: name.into(),
        kind: name.into(),
        command: command.iter().map(|&c| c.into()).collect(),
        directory: format!("/srv/cold-start/.tacho/{name}"),
        environment: BTreeMap::from([(
            "SPRING_APPLICATION_JSON".into(),
            r#"{"server":{"port":0}}"#.into(),
        )]),
        runtime: (runtime > 0).then(|| "OpenJDK 25.0.3+9 (Temurin)".into()),
        build_commands: vec![],
        build_s: 0.0,
        application_bytes: application,
        runtime_bytes: runtime,
        artifact: None,
        image: None,
        notes: vec![],
    };
    const MIB: u64 = 1 << 20;
    let mut cds = make(
        "cds",
        &[java, "-XX:SharedArchiveFile=app.jsa", "-jar", "app.jar"],
        71 * MIB,
        318 * MIB,
    );
    cds.build_commands = vec![
        format!("{java} -Djarmode=tools -jar app.jar extract --destination ."),
        format!(
            "{java} -XX:ArchiveClassesAtExit=app.jsa -Dspring.context.exit=onRefresh -jar app.jar"
        ),
    ];
    cds.build_s = 6.4;
    let mut aot = make(
        "aot",
        &[java, "-XX:AOTCache=app.aot", "-jar", "app.jar"],
        94 * MIB,
        318 * MIB,
    );
    aot.build_commands = vec![
        format!("{java} -Djarmode=tools -jar app.jar extract --destination ."),
        format!("{java} -XX:AOTCacheOutput=app.aot -jar app.jar"),
    ];
    aot.build_s = 14.2;
    aot.notes = vec!["The cache was trained with the experiment's own requests.".into()];
    let mut native = make("native", &["./app"], 88 * MIB, 0);
    native.build_commands = vec!["native-image -jar app.jar -o app".into()];
    native.build_s = 171.0;
    vec![
        make("jar", &[java, "-jar", "app.jar"], 24 * MIB, 318 * MIB),
        cds,
        aot,
        native,
    ]
}
