//! The commands that the steps of `cargo xtask test` run, with their options.

use crate::tools;
use crate::workspace::Workspace;
use std::process::Command;

/// Arguments of Clippy for native code. The service's optional parts are checked and tested
/// together with the rest: a build for itself would have other features, so that all dependencies were
/// compiled again.
const CLIPPY_HOST: [&str; 12] = [
    "clippy",
    "--workspace",
    "--exclude",
    "assent_widget",
    "--exclude",
    "assent-example-leptos",
    "--features",
    TESTED_FEATURES,
    "--all-targets",
    "--",
    "-D",
    "warnings",
];
/// Arguments of Clippy for the code that runs in a page. `crates/math` is checked with the native
/// code, because its tests need an operating system.
const CLIPPY_PAGE: [&str; 15] = [
    "clippy",
    "-p",
    "assent_widget",
    "-p",
    "assent_renderer",
    "-p",
    "assent-client",
    "-p",
    "assent-example-leptos",
    "--target",
    "wasm32-unknown-unknown",
    "--all-targets",
    "--",
    "-D",
    "warnings",
];
const NATIVE_TESTS: [&str; 9] = [
    "test",
    "--workspace",
    "--exclude",
    "assent_widget",
    "--exclude",
    "assent-example-leptos",
    "--features",
    TESTED_FEATURES,
    "--no-fail-fast",
];
/// The features of crates that are off by default and tested nevertheless.
const TESTED_FEATURES: &str = "assent-service/otel,assent-service/s3";
const COMPONENT_TESTS: [&str; 8] = [
    "test",
    "-p",
    "assent_widget",
    "-p",
    "assent_renderer",
    "--target",
    "wasm32-unknown-unknown",
    "--no-fail-fast",
];

/// Returns the steps that check all code in Rust without running it, by Clippy and the compiler,
/// each with its name.
pub(super) fn lint_steps(workspace: &Workspace) -> [(&'static str, Command); 3] {
    let clippy = |arguments: &[&str]| {
        let mut command = workspace.cargo();
        command.args(arguments);
        command
    };
    [
        ("clippy, host", clippy(&CLIPPY_HOST)),
        ("clippy, page", clippy(&CLIPPY_PAGE)),
        ("fuzz targets", fuzz_check_command(workspace)),
    ]
}

pub(super) fn native_tests_command(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    // Cargo builds the examples with all tests; see `example` in `service/tests/common/mod.rs`.
    command
        .env("ASSENT_EXAMPLES_ARE_BUILT", "1")
        .args(NATIVE_TESTS);
    command
}

/// Returns the command that runs only the native tests of this name. It compiles all crates,
/// because with fewer of them dependencies would have other features, and be compiled again.
pub(super) fn native_test_command(workspace: &Workspace, name: &str) -> Command {
    let mut command = native_tests_command(workspace);
    command.args(["--", "--exact", name]);
    command
}

/// Arguments for the test programs of the service that run on whichever database
/// `ASSENT_TEST_DATABASE` names. The native tests run the same programs on SQLite.
const DATABASE_TESTS: [&str; 10] = [
    "--test",
    "integration",
    "--test",
    "activity",
    "--test",
    "documents",
    "--test",
    "history",
    "--test",
    "kills",
];

/// Returns the command that runs the service's tests on `database`, such as `postgres`; the names
/// are those of `service/tests/common/database.rs`.
pub(super) fn database_tests_command(workspace: &Workspace, database: &str) -> Command {
    let mut command = native_tests_command(workspace);
    command
        .env("ASSENT_TEST_DATABASE", database)
        .args(DATABASE_TESTS);
    command
}

/// Returns the command that runs only the service's test of this name, on `database`.
pub(super) fn database_test_command(workspace: &Workspace, database: &str, name: &str) -> Command {
    let mut command = database_tests_command(workspace, database);
    command.args(["--", "--exact", name]);
    command
}

/// Returns the command that looks at all states of the model of leases, a Cargo workspace of its own.
pub(super) fn models_command(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    command
        .env("CARGO_TARGET_DIR", workspace.target_folder())
        .args(["test", "--manifest-path", "service/models/lease/Cargo.toml"]);
    command
}

pub(super) fn component_test_command(workspace: &Workspace, name: &str) -> Command {
    let mut command = component_tests_command(workspace);
    command.args(["--", "--exact", name]);
    command
}

pub(super) fn component_tests_command(workspace: &Workspace) -> Command {
    let mut command = cargo_in_page(workspace);
    command.args(COMPONENT_TESTS);
    command
}

/// Returns Cargo's command with the environment that component tests need, which run in Chromium.
pub(crate) fn cargo_in_page(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    // Timeouts, in seconds, of all tests of a program, and of the driver until it listens.
    command
        .env("WASM_BINDGEN_TEST_TIMEOUT", "600")
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60");
    if let Some(driver) = tools::locate(workspace, "chromedriver") {
        command.env("CHROMEDRIVER", driver);
    }
    command
}

pub(super) fn type_check_command(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npx");
    command
        .current_dir(workspace.path("e2e"))
        .args(["tsc", "--project", "tsconfig.json"]);
    command
}

/// Returns the command that checks the code of the fuzz targets, which are a Cargo workspace of
/// their own.
fn fuzz_check_command(workspace: &Workspace) -> Command {
    let mut command = workspace.cargo();
    command
        // The crates that the other workspace has, too, are not checked again.
        .env("CARGO_TARGET_DIR", workspace.target_folder())
        // Nothing is linked, so that libFuzzer need not be there: its C++ is compiled where no path
        // is given.
        .env(
            "CUSTOM_LIBFUZZER_PATH",
            workspace.target_folder().join("libfuzzer.a"),
        )
        .args(["check", "--manifest-path", "fuzz/Cargo.toml"]);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_features_run_with_the_native_tests() {
        let workspace = Workspace::locate().unwrap();
        let manifest = std::fs::read_to_string(workspace.path("service/Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let tests = manifest["test"].as_array().unwrap();
        let needed = tests.iter().flat_map(|test| {
            let features = test["required-features"].as_array().unwrap();
            features.iter().map(|feature| feature.as_str().unwrap())
        });
        let needed: Vec<String> = needed
            .map(|name| format!("assent-service/{name}"))
            .collect();
        // Cargo leaves such a test out without a word.
        let tested: Vec<&str> = TESTED_FEATURES.split(',').collect();
        assert_eq!(needed, tested);
        assert!(
            NATIVE_TESTS
                .windows(2)
                .any(|it| it == ["--features", TESTED_FEATURES])
        );
    }
}
