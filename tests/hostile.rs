//! Files that mean harm: each is refused with a place, quickly, and in little memory.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long the program may take; these tests may not be optimized, and several run at once.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 2 });
/// How much memory it may use.
const MOST_KB: u64 = 256 * 1024;

const HEAD: &str = "game \"Harm\"\nplayers White, Black\nboard square 8\npiece pawn \"Pp\"\n";
const TURN: &str = "turn { choose spot in empty   place pawn at spot }\n";
const END: &str = "end { opponent loses when stuck }\n";

/// A folder of its own that is removed when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("lusory-hostile-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).expect("a folder for temporary files");
        Scratch(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The most memory that a process has used so far, where the system tells.
fn peak_kb(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.trim().parse().ok())
}

/// What the program says of a file, after it ended with one of these codes.
fn said(dir: &Path, args: &[&str], codes: &[i32]) -> String {
    let begun = Instant::now();
    let (out, err) = (dir.join("out"), dir.join("err"));
    let file = |path: &Path| std::fs::File::create(path).expect("a file for what is said");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lusory"))
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("the program");
    let mut peak = 0;
    let status = loop {
        peak = peak.max(peak_kb(&child).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("a process") {
            break status;
        }
        if begun.elapsed() > LONGEST {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{args:?} takes longer than {LONGEST:?}");
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let text = [out, err].iter().map(|path| std::fs::read_to_string(path).unwrap_or_default()).collect::<String>();
    let code = status.code().unwrap_or(-1);
    assert!(codes.contains(&code), "{args:?} ends with {code}: {}", text.chars().take(500).collect::<String>());
    assert!(peak < MOST_KB, "{args:?} takes {peak} kB");
    assert!(text.len() < 100_000, "{args:?} says {} bytes", text.len());
    let hidden =
        |sign: char| sign.is_control() && !matches!(sign, '\n' | '\t') || ('\u{202a}'..='\u{202e}').contains(&sign);
    assert!(!text.chars().any(hidden), "{args:?} writes signs that a terminal would obey");
    text
}

/// `check` refuses the file with these words and a line.
fn refused(name: &str, file: &str, text: impl AsRef<[u8]>, words: &str) {
    let scratch = Scratch::new(name);
    std::fs::write(scratch.0.join(file), text).expect("a file");
    let text = said(&scratch.0, &["check", file, "--format", "short"], &[1, 3, 4]);
    assert!(text.contains(words), "{name}: {}", text.chars().take(500).collect::<String>());
}

/// Every command that takes a game ends with a place and one of these codes; `fmt` only looks at blanks.
fn everywhere(name: &str, file: &str, text: impl AsRef<[u8]>, codes: &[i32], place: &str) {
    let scratch = Scratch::new(name);
    std::fs::write(scratch.0.join(file), text).expect("a file");
    let commands: [&[&str]; 8] = [
        &["play", file, "--seed", "1"],
        &["moves", file],
        &["sim", file, "-n", "3"],
        &["test", file, "--games", "1"],
        &["why", file, "a1"],
        &["diff", file, "tic_tac_toe", "-n", "3", "--positions", "5"],
        &["diff", "tic_tac_toe", file, "-n", "3", "--positions", "5"],
        &["show", file],
    ];
    for args in commands {
        let text = said(&scratch.0, args, codes);
        assert!(text.contains(place), "{name}, {args:?}: {}", text.chars().take(500).collect::<String>());
    }
    said(&scratch.0, &["fmt", "--check", file], &[0, 1, 4]);
}

/// `moves` and `sim` stop at a line of the file, with this code.
fn stopped(name: &str, text: &str, code: &str) {
    let scratch = Scratch::new(name);
    std::fs::write(scratch.0.join("harm.lus"), text).expect("a file");
    for args in [&["moves", "harm.lus"][..], &["sim", "harm.lus", "-n", "3", "--seed", "1"]] {
        let text = said(&scratch.0, args, &[4]);
        assert!(text.contains("harm.lus:") && text.contains(code), "{name}: {text}");
    }
}

#[test]
fn brackets() {
    let nested = format!("{HEAD}turn {{ choose s in {}{} }}\n{END}", "(\n".repeat(100_000), ")\n".repeat(100_000));
    refused("round", "harm.lus", nested, "[file-too-long]");
    let nested = format!("{HEAD}turn {{ choose s in {}{} }}\n{END}", "(\n".repeat(40_000), ")\n".repeat(40_000));
    refused("fewer", "harm.lus", nested, "harm.lus:68:1: error[too-deep]");
    let curly = format!("{HEAD}turn {{ {}{} }}\n{END}", "may {\n".repeat(30_000), "}\n".repeat(30_000));
    refused("curly", "harm.lus", curly, "error[too-deep]");
    refused("yaml", "harm.yaml", format!("game: konane\noptions: {}", "[".repeat(60_000)), "harm.yaml:");
    refused("long_yaml", "harm.yaml", format!("game: konane\noptions: {}", "[".repeat(100_000)), "[house-too-large]");
    refused("map", "harm.yaml", format!("game: konane\noptions: {}", "{a: ".repeat(15_000)), "harm.yaml:");
}

#[test]
fn long_lines_and_strange_bytes() {
    refused("five", "harm.lus", "x".repeat(5 * 1024 * 1024), "the file has 5242880 bytes; it may have 1048576");
    refused("one", "harm.lus", format!("{HEAD}// {}", "x".repeat(1_000_000)), "harm.lus:5:1: error[line-too-long]");
    refused("nul", "harm.lus", format!("{HEAD}turn \u{0}{{ \u{1b}[2J }}\n{END}"), "error[hidden-character]");
    let bidi = HEAD.replace("pawn", "pa\u{202e}wn");
    refused("bidi", "harm.lus", format!("{bidi}{TURN}{END}"), "error[hidden-character]");
    refused("bytes", "harm.lus", [0xff, 0xfe, 0x00, 0x80], "UTF-8");
    refused("title", "harm.yaml", "game: konane\ntitle: \"a\u{1b}[2Jb\"\noptions: { rows: 7.5 }\n", "harm.yaml:");
}

#[test]
fn files_elsewhere() {
    for name in ["/etc/passwd", "../secret", "etc/passwd"] {
        let text = format!("game \"Harm\" extends {name}\n{TURN}");
        refused("path", "harm.lus", text, "harm.lus:1:");
    }
    #[cfg(unix)]
    {
        let scratch = Scratch::new("link");
        std::os::unix::fs::symlink("/etc/passwd", scratch.0.join("secret.lus")).expect("a link");
        std::fs::write(scratch.0.join("harm.lus"), format!("game \"Harm\" extends secret\n{TURN}")).expect("a file");
        let text = said(&scratch.0, &["check", "harm.lus"], &[1]);
        assert!(text.contains("cannot-extend") && !text.contains("root:"), "{text}");
    }
}

#[test]
fn sizes() {
    for board in ["grid 100000 by 10000", "square 2000000000", "line 1000000000", "hexagon 30000", "rhombus 40000"] {
        refused("board", "harm.lus", format!("{HEAD}{TURN}{END}").replace("square 8", board), "harm.lus:3:1: error[");
    }
    let tables: String = (0..900).map(|i| format!("remember t{i} per site\n")).collect();
    let large = format!("{HEAD}{tables}{TURN}{END}").replace("square 8", "square 32");
    refused("state", "harm.lus", large, "error[position-too-large]");
    let many = format!("{HEAD}{}{TURN}{END}", "define a=b\n".repeat(20_000));
    refused("twice", "harm.lus", many, "error[defined-twice]");
    let ends: String = (0..7_000).map(|i| format!("e{i}: draw when count(mine) is {i}\n")).collect();
    let scratch = Scratch::new("ends");
    std::fs::write(scratch.0.join("harm.lus"), format!("{HEAD}{TURN}end {{ {ends} opponent loses when stuck }}\n"))
        .expect("a file");
    said(&scratch.0, &["check", "harm.lus"], &[0]);
}

#[test]
fn games_without_end() {
    let turn = |body: &str| {
        format!("{HEAD}remember n: 0..2000000000\nturn {{ {body} }}\nend {{ opponent loses when stuck or n is 7 }}\n")
    };
    stopped("loop", &turn("choose s in empty   while on { place pawn at s }   n = 1"), "[loop-too-long]");
    stopped("commit", &turn("while on { n += 1   commit }"), "[turn-too-long]");
    stopped(
        "alternatives",
        &turn("choose a in 1..1000000   n = a   choose s in empty   place pawn at s"),
        "[too-many-moves]",
    );
    stopped("throws", &turn("roll a in 1..1000000   n = a   choose s in empty   place pawn at s"), "[too-many-moves]");
    let five = "choose a in board, b in board, c in board, d in board, e in board";
    stopped("dead", &turn(&format!("{five}   place pawn at a   require no empty")), "[search-too-long]");
    let looks = "sum(sum(sum(sum(x at a + x at b + x at c + x at d for a in board) for b in board) for c in board) for d in board)";
    refused("looks", "harm.lus", turn(&format!("choose s in empty   require {looks} > 3   n = 1")), "[game-too-large]");
}

/// The same for the other commands, a file of each kind.
#[test]
fn every_command() {
    let nested = format!("{HEAD}turn {{ choose s in {}{} }}\n{END}", "(".repeat(100_000), ")".repeat(100_000));
    everywhere("all_nested", "harm.lus", nested, &[1], "harm.lus:");
    everywhere("all_line", "harm.lus", "x".repeat(5 * 1024 * 1024), &[4], "harm.lus: the file has 5242880 bytes");
    everywhere("all_nul", "harm.lus", format!("{HEAD}turn \u{0}{{ \u{1b}[2J }}\n{END}"), &[1], "harm.lus:5");
    let bidi = HEAD.replace("pawn", "pa\u{202e}wn");
    everywhere("all_bidi", "harm.lus", format!("{bidi}{TURN}{END}"), &[1], "harm.lus:4");
    everywhere("all_passwd", "harm.lus", format!("game \"Harm\" extends /etc/passwd\n{TURN}"), &[1], "harm.lus:1");
    let large = format!("{HEAD}{TURN}{END}").replace("square 8", "grid 100000 by 10000");
    everywhere("all_board", "harm.lus", large, &[1], "harm.lus:3");
    let turn = |body: &str| {
        format!("{HEAD}remember n: 0..2000000000\nturn {{ {body} }}\nend {{ opponent loses when stuck or n is 7 }}\n")
    };
    let forever = turn("choose s in empty   while on { place pawn at s }   n = 1");
    everywhere("all_loop", "harm.lus", forever, &[1, 4], "harm.lus:6");
    let many = turn("choose a in 1..1000000   n = a   choose s in empty   place pawn at s");
    everywhere("all_many", "harm.lus", many, &[1, 4], "harm.lus:6");
}

#[test]
fn house_files_of_every_command() {
    let scratch = Scratch::new("house");
    std::fs::write(scratch.0.join("harm.yaml"), format!("game: konane\noptions: {}", "[".repeat(100_000)))
        .expect("a file");
    for args in [
        &["play", "konane"][..],
        &["moves", "konane"],
        &["sim", "konane", "-n", "3"],
        &["show", "konane"],
        &["why", "konane", "a1"],
    ] {
        let text = said(&scratch.0, &[args, &["--house", "harm.yaml"]].concat(), &[1]);
        assert!(text.contains("harm.yaml:"), "{args:?}: {text}");
    }
    said(&scratch.0, &["diff", "konane", "--house-b", "harm.yaml"], &[1]);
    let text = said(&scratch.0, &["play", "harm.yaml"], &[2]);
    assert!(text.contains("is a house file, not a game"), "{text}");
}
