//! Installation of a development tool in a pinned version: downloaded by cargo-binstall if that is
//! installed, otherwise compiled by Cargo.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::process::Command;

/// The program that downloads development tools, if it is installed.
pub(super) const DOWNLOADER: &str = "cargo-binstall";

/// Installs version `version` of the tool in the crate `package`. If it is compiled, the crates
/// `optimised` are optimised, and Cargo gets the options `options`.
pub(super) fn install_tool(
    workspace: &Workspace,
    package: &str,
    version: &str,
    optimised: &[&str],
    options: &[&str],
) -> Result<(), Error> {
    let mut compile = compile(workspace, package, version, optimised);
    compile.args(options);
    match super::downloads_tools(workspace) {
        true => run_or_else(&mut download(workspace, package, version), &mut compile),
        false => process::run(&mut compile),
    }
}

/// Runs the program `first`, and if that fails, the program `second`.
fn run_or_else(first: &mut Command, second: &mut Command) -> Result<(), Error> {
    process::run(first).or_else(|error| {
        println!("{error}: the next command does it instead.");
        process::run(second)
    })
}

/// Returns the command by which cargo-binstall downloads a tool as its authors published it.
fn download(workspace: &Workspace, package: &str, version: &str) -> Command {
    let mut command = workspace.command(DOWNLOADER);
    command
        .args(["--no-confirm", "--force"])
        .args(["--disable-strategies", "quick-install,compile", "--root"])
        .arg(workspace.tools_folder())
        .arg(format!("{package}@{version}"));
    command
}

/// Returns the command by which Cargo compiles a tool, almost without optimisation: with its own
/// profile, Trunk takes a quarter of an hour on two cores instead of three minutes. The crates
/// `optimised`, which do most of a tool's work, are optimised a little.
fn compile(workspace: &Workspace, package: &str, version: &str, optimised: &[&str]) -> Command {
    let mut command = workspace.cargo();
    command
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        // The build folder is needed once.
        .env_remove("CARGO_TARGET_DIR")
        .args([
            "install",
            package,
            "--version",
            version,
            "--force",
            "--root",
        ])
        .arg(workspace.tools_folder());
    for name in optimised {
        command.arg("--config");
        command.arg(format!("profile.release.package.{name}.opt-level=1"));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_cannot_be_downloaded_in_its_version_is_compiled() {
        let workspace = Workspace::locate().unwrap();
        let mut download = download(&workspace, "trunk", "1.2.3");
        let line = process::command_line(&download);
        assert!(line.ends_with(" trunk@1.2.3"), "{line}");
        assert!(line.contains("--disable-strategies quick-install,compile"));
        let compile = compile(&workspace, "trunk", "1.2.3", &["a"]);
        let line = process::command_line(&compile);
        assert!(line.contains("trunk --version 1.2.3"), "{line}");
        assert!(line.ends_with("--config profile.release.package.a.opt-level=1"));
        // Where it is installed it would download; here it is a program that fails.
        download = Command::new("false");
        let mut there = Command::new("true");
        let mut absent = Command::new("false");
        assert!(run_or_else(&mut download, &mut there).is_ok());
        assert!(run_or_else(&mut there, &mut absent).is_ok());
        assert!(run_or_else(&mut download, &mut absent).is_err());
    }
}
