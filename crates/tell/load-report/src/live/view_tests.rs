use super::*;
use std::sync::Mutex;
use tacho_load::{Anchor, Recorder};

#[derive(Debug, Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Screen {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    fn wait_for(&self, what: &str) {
        while !self.text().contains(what) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn recorder() -> (tempfile::TempDir, Recorder) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let anchor = Anchor::now();
    let files = ["phases.hlog", "requests.csv", "slowest.csv"].map(path);
    let recorder = Recorder::create_files(&files[0], &files[1], &files[2], anchor).unwrap();
    (folder, recorder)
}

fn phase(label: &str) -> PhaseView {
    PhaseView {
        label: label.into(),
        connections: 1,
        ..PhaseView::default()
    }
}

/// What a terminal shows after these bytes: knows the two sequences that the view uses.
fn shown(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\u{1b}']) {
        let last = lines.last_mut().unwrap();
        last.push_str(&rest[..at]);
        if rest[at..].starts_with('\n') {
            lines.push(String::new());
            rest = &rest[at + 1..];
            continue;
        }
        let sequence = &rest[at + 2..];
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).unwrap();
        if &sequence[end..=end] == "F" {
            let up: usize = sequence[..end].parse().unwrap();
            // Always followed by an erasure.
            lines.truncate(lines.len() - up);
            *lines.last_mut().unwrap() = String::new();
        }
        rest = &sequence[end + 1..];
    }
    lines.last_mut().unwrap().push_str(rest);
    lines
}

#[test]
fn a_frame_replaces_the_one_before_and_nothing_is_left() {
    let (_folder, recorder) = recorder();
    let screen = Screen::default();
    let control = Control::new();
    let view = LiveView::drawing_on(
        Surface::Terminal { colour: false },
        &control,
        recorder.live(),
        screen.clone(),
    );
    view.phase(phase("first"));
    screen.wait_for("first  opening connections");
    view.phase(phase("second"));
    screen.wait_for("second  opening connections");
    assert!(!shown(&screen.text()).concat().contains("first"));
    view.finish();
    assert_eq!(shown(&screen.text()), [""], "{:?}", screen.text());
}

#[test]
fn a_clock_that_starts_before_the_view_looks_is_seen() {
    let (_folder, mut recorder) = recorder();
    let screen = Screen::default();
    let (to_thread, messages) = channel();
    let mut view = LiveView {
        control: Control::new(),
        live: recorder.live(),
        to_thread: Some(to_thread),
        thread: None,
    };
    view.phase(phase("quick"));
    recorder.begin_phase(0, "quick", 1, true).unwrap();
    recorder.start_clock(monotonic_ns());
    // It begins to look only now, so that it is late however long all that took.
    let mut painter = Painter {
        surface: Surface::Terminal { colour: false },
        control: view.control.clone(),
        live: recorder.live(),
        to: screen.clone(),
        drawn: 0,
    };
    view.thread = Some(std::thread::spawn(move || painter.run(&messages)));
    screen.wait_for(" s so far");
    view.finish();
    assert!(!screen.text().contains("opening"), "{:?}", screen.text());
}

#[test]
fn where_there_is_no_terminal_lines_stay() {
    let (_folder, recorder) = recorder();
    let screen = Screen::default();
    let view = LiveView::drawing_on(
        Surface::Lines,
        &Control::new(),
        recorder.live(),
        screen.clone(),
    );
    view.phase(phase("soak"));
    screen.wait_for("soak: 0/s, 0 in flight\n");
    view.finish();
    assert!(!screen.text().contains('\u{1b}'));
}

#[test]
fn quiet_is_quiet() {
    let (_folder, recorder) = recorder();
    let screen = Screen::default();
    let view = LiveView::drawing_on(
        Surface::Off,
        &Control::new(),
        recorder.live(),
        screen.clone(),
    );
    view.phase(phase("soak"));
    view.phase_ended();
    assert!(view.thread.is_none());
    view.finish();
    assert_eq!(screen.text(), "");
}

#[test]
fn the_rate_is_that_of_the_last_redraws() {
    let answers = VecDeque::from([
        (1_000_000_000, 500),
        (2_000_000_000, 900),
        (3_000_000_000, 4_500),
    ]);
    assert!((rate(&answers) - 2_000.0).abs() < 1e-9);
    assert!(rate(&VecDeque::from([(1, 500)])).abs() < 1e-9);
}
