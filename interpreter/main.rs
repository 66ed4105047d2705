//! Runs the command line and turns its answer into an exit code.

fn main() -> std::process::ExitCode {
    lusory::cli::main()
}
