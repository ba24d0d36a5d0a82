//! Development tools, and programs from Debian packages. A tool on PATH in the right version is
//! used, otherwise it is installed into `target/tools`. Debian packages are installed if possible
//! (root and apt); otherwise an error names them.

mod install;

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use install::install_tool;
use std::process::Command;

/// The version of wasm-bindgen. It must equal that of the crate `wasm-bindgen` in the root
/// Cargo.toml: glue and module are two halves of one format.
pub(crate) const WASM_BINDGEN_VERSION: &str = "0.2.130";
/// The version of Trunk: the last one that builds with the toolchain of rust-toolchain.toml.
pub(crate) const TRUNK_VERSION: &str = "0.21.14";

/// The crates of wasm-bindgen that are compiled with optimisation. They read and write modules of
/// 20 MB, which takes 2 seconds with it and 30 without. All other crates compile faster without.
const OPTIMISED_PACKAGES: [&str; 12] = [
    "walrus",
    "wasmparser",
    "wasm-encoder",
    "wasm-bindgen-cli-support",
    "gimli",
    "id-arena",
    "leb128fmt",
    "hashbrown",
    "indexmap",
    "rayon",
    "rayon-core",
    "bumpalo",
];

/// The version of cargo-machete, which finds unused dependencies.
const CARGO_MACHETE_VERSION: &str = "0.9.2";
/// The version of cargo-deny, which checks licences, sources and advisories.
const CARGO_DENY_VERSION: &str = "0.20.2";

/// A program, and the Debian packages that it comes with.
pub(crate) struct DebianProgram {
    program: &'static str,
    packages: &'static [&'static str],
}

/// The browser for component tests, the tests of README's commands, measurements and screenshots.
pub(crate) const CHROMIUM: DebianProgram = DebianProgram {
    program: "chromium",
    packages: &["chromium", "fonts-liberation"],
};
/// The browser of most whole-page tests: Chromium without windows, which takes half the time.
pub(crate) const HEADLESS_SHELL: DebianProgram = DebianProgram {
    program: "chromium-headless-shell",
    packages: &["chromium-headless-shell", "fonts-liberation"],
};
/// The second browser of whole-page tests.
pub(crate) const FIREFOX: DebianProgram = DebianProgram {
    program: "firefox-esr",
    packages: &["firefox-esr", "fonts-liberation"],
};
/// The third browser of whole-page tests, and the program through which it is driven.
pub(crate) const WEBKIT: DebianProgram = DebianProgram {
    program: "WebKitWebDriver",
    packages: &["webkit2gtk-driver", "fonts-liberation"],
};
/// The virtual display that WebKit needs.
pub(crate) const XVFB: DebianProgram = DebianProgram {
    program: "Xvfb",
    packages: &["xvfb"],
};
/// The program through which component tests drive the browser.
pub(crate) const CHROMEDRIVER: DebianProgram = DebianProgram {
    program: "chromedriver",
    packages: &["chromium-driver"],
};
/// The program that runs JavaScript outside of a browser, such as the whole-page tests.
pub(crate) const NODE: DebianProgram = DebianProgram {
    program: "node",
    packages: &["nodejs"],
};
/// The program that installs packages of JavaScript.
pub(crate) const NPM: DebianProgram = DebianProgram {
    program: "npm",
    packages: &["npm"],
};
/// A proxy server in front of the service, as docs/proxy describes it.
pub(crate) const NGINX: DebianProgram = DebianProgram {
    program: "nginx",
    packages: &["nginx"],
};
/// The database server that the service's tests start for themselves, found by a program that comes
/// with it.
pub(crate) const POSTGRES: DebianProgram = DebianProgram {
    program: "initdb",
    packages: &["postgresql"],
};
/// The proxy server in front of several replicas, as deploy/ has it.
pub(crate) const HAPROXY: DebianProgram = DebianProgram {
    program: "haproxy",
    packages: &["haproxy"],
};
/// Another proxy server in front of the service, as docs/proxy describes it.
pub(crate) const CADDY: DebianProgram = DebianProgram {
    program: "caddy",
    packages: &["caddy"],
};

/// Installs the sources of Rust's standard library, unless they are there; `dist/` is compiled with
/// them.
pub(crate) fn ensure_rust_src(workspace: &Workspace) -> Result<(), Error> {
    let sysroot = process::standard_output(workspace.command("rustc").args(["--print", "sysroot"]));
    let library = "lib/rustlib/src/rust/library";
    if sysroot.is_some_and(|path| std::path::Path::new(path.trim()).join(library).is_dir()) {
        return Ok(());
    }
    process::run(
        workspace
            .command("rustup")
            .args(["component", "add", "rust-src"]),
    )
}

/// Installs Rust's standard library for WebAssembly, unless it is there.
pub(crate) fn ensure_wasm_target(workspace: &Workspace) -> Result<(), Error> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let libdir = process::standard_output(workspace.command("rustc").args([
        "--print",
        "target-libdir",
        "--target",
        TARGET,
    ]));
    if libdir.is_some_and(|path| std::path::Path::new(path.trim()).is_dir()) {
        return Ok(());
    }
    process::run(workspace.command("rustup").args(["target", "add", TARGET]))
}

/// Installs rustfmt and Clippy, unless they are there.
pub(crate) fn ensure_components(workspace: &Workspace) -> Result<(), Error> {
    for (program, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if process::standard_output(workspace.cargo().args([program, "--version"])).is_none() {
            process::run(
                workspace
                    .command("rustup")
                    .args(["component", "add", component]),
            )?;
        }
    }
    Ok(())
}

/// Installs wasm-bindgen and its test runner in the pinned version, unless they are there.
pub(crate) fn ensure_wasm_bindgen(workspace: &Workspace) -> Result<(), Error> {
    check_pinned_version(&read_manifest(workspace)?)?;
    if has_wasm_bindgen(workspace) {
        return Ok(());
    }
    // Without --locked: its lock file names versions that registries may not hold any more.
    // Without its default features: what it downloads over TLS are drivers, which are here.
    let options = ["--no-default-features"];
    install_tool(
        workspace,
        "wasm-bindgen-cli",
        WASM_BINDGEN_VERSION,
        &OPTIMISED_PACKAGES,
        &options,
    )
}

/// Installs Trunk, which builds and serves the demo page, unless it is there.
pub(crate) fn ensure_trunk(workspace: &Workspace) -> Result<(), Error> {
    if has_trunk(workspace) {
        return Ok(());
    }
    // Its default features are a look for a newer version of itself, and the TLS of downloads: what
    // it would download is here, and the service that it passes requests on to speaks HTTP.
    let options = ["--locked", "--no-default-features"];
    install_tool(workspace, "trunk", TRUNK_VERSION, &[], &options)
}

/// Installs cargo-machete in the pinned version, unless it is there; that takes a quarter of a
/// minute on two cores.
pub(crate) fn ensure_cargo_machete(workspace: &Workspace) -> Result<(), Error> {
    if is_version(workspace, "cargo-machete", CARGO_MACHETE_VERSION) {
        return Ok(());
    }
    install_tool(
        workspace,
        "cargo-machete",
        CARGO_MACHETE_VERSION,
        &[],
        &["--locked"],
    )
}

/// Installs cargo-deny in the pinned version, unless it is there; that takes half a minute on two
/// cores.
pub(crate) fn ensure_cargo_deny(workspace: &Workspace) -> Result<(), Error> {
    if is_version(workspace, "cargo-deny", CARGO_DENY_VERSION) {
        return Ok(());
    }
    install_tool(
        workspace,
        "cargo-deny",
        CARGO_DENY_VERSION,
        &[],
        &["--locked"],
    )
}

/// Returns true if wasm-bindgen and its test runner are installed in the pinned version.
pub(crate) fn has_wasm_bindgen(workspace: &Workspace) -> bool {
    ["wasm-bindgen", "wasm-bindgen-test-runner"]
        .iter()
        .all(|program| is_version(workspace, program, WASM_BINDGEN_VERSION))
}

/// Returns true if Trunk is installed in the pinned version.
pub(crate) fn has_trunk(workspace: &Workspace) -> bool {
    is_version(workspace, "trunk", TRUNK_VERSION)
}

/// Returns true if development tools would be downloaded, which takes seconds, and false if they
/// would be compiled.
pub(crate) fn downloads_tools(workspace: &Workspace) -> bool {
    is_present(workspace, install::DOWNLOADER)
}

/// Returns true if the program is installed on this machine.
pub(crate) fn has_program(workspace: &Workspace, packaged: &DebianProgram) -> bool {
    is_present(workspace, packaged.program)
}

/// Installs the Debian packages of those of `programs` that are missing; if that is not possible,
/// fails and names the packages.
pub(crate) fn ensure_packaged(
    workspace: &Workspace,
    programs: &[&DebianProgram],
) -> Result<(), Error> {
    let missing: Vec<&str> = programs
        .iter()
        .filter(|needed| !has_program(workspace, needed))
        .flat_map(|needed| needed.packages.iter().copied())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    install_packages(workspace, &missing)
}

/// Installs Python and its module for virtual environments, unless they are there.
pub(crate) fn ensure_venv(workspace: &Workspace) -> Result<(), Error> {
    let mut import = workspace.command("python3");
    if process::standard_output(import.args(["-c", "import ensurepip, venv"])).is_some() {
        return Ok(());
    }
    install_packages(workspace, &["python3", "python3-venv"])
}

fn install_packages(workspace: &Workspace, packages: &[&str]) -> Result<(), Error> {
    let is_root = process::standard_output(workspace.command("id").arg("-u"))
        .is_some_and(|id| id.trim() == "0");
    if !is_root || !is_present(workspace, "apt-get") {
        return Err(Error::Wrong(format!(
            "install these Debian packages (or their like) and run this again: {}",
            packages.join(" ")
        )));
    }
    process::run(workspace.command("apt-get").args(["update", "-q"]))?;
    process::run(
        workspace
            .command("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["install", "-y", "-q", "--no-install-recommends"])
            .args(packages),
    )
}

/// Returns the path of a program that is installed: on PATH, or in the folders where Debian has
/// servers and the programs of PostgreSQL; `None` if it is in none of them.
pub(crate) fn locate(workspace: &Workspace, program: &str) -> Option<String> {
    process::standard_output(workspace.command("sh").args([
        "-c",
        "PATH=\"$PATH:/usr/sbin:$(echo /usr/lib/postgresql/*/bin)\"; command -v \"$0\"",
        program,
    ]))
    .map(|path| path.trim().to_owned())
}

/// Sets the environment variables of a command from which whole-page tests and screenshots learn
/// the paths of the browsers.
pub(crate) fn pass_browsers<'command>(
    workspace: &Workspace,
    command: &'command mut Command,
) -> &'command mut Command {
    for (variable, browser) in [
        ("ASSENT_CHROMIUM", CHROMIUM),
        ("ASSENT_HEADLESS_SHELL", HEADLESS_SHELL),
        ("ASSENT_FIREFOX", FIREFOX),
    ] {
        if let Some(path) = locate(workspace, browser.program) {
            command.env(variable, path);
        }
    }
    command
}

fn is_present(workspace: &Workspace, program: &str) -> bool {
    locate(workspace, program).is_some()
}

fn is_version(workspace: &Workspace, program: &str, version: &str) -> bool {
    process::standard_output(workspace.command(program).arg("--version"))
        .is_some_and(|text| text.split_whitespace().any(|word| word == version))
}

fn read_manifest(workspace: &Workspace) -> Result<String, Error> {
    let path = workspace.path("Cargo.toml");
    std::fs::read_to_string(&path).map_err(Error::of_file(&path))
}

fn check_pinned_version(manifest: &str) -> Result<(), Error> {
    if manifest.contains(&format!("wasm-bindgen = \"={WASM_BINDGEN_VERSION}\"")) {
        return Ok(());
    }
    Err(Error::Wrong(format!(
        "the wasm-bindgen version in Cargo.toml and the one in xtask/src/tools/mod.rs ({WASM_BINDGEN_VERSION}) must be equal"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crate_and_tool_of_different_versions_are_refused() {
        assert!(
            check_pinned_version(&format!("wasm-bindgen = \"={WASM_BINDGEN_VERSION}\"")).is_ok()
        );
        assert!(check_pinned_version("wasm-bindgen = \"=0.2.1\"").is_err());
    }

    #[test]
    fn the_pin_of_this_workspace_is_the_tools_version() {
        let workspace = Workspace::locate().unwrap();
        check_pinned_version(&read_manifest(&workspace).unwrap()).unwrap();
    }
}
