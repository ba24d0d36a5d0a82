//! The assets that are JavaScript with packages from npm: `highlight/` and `device/`, each bundled into one file.

use crate::error::Error;
use crate::process;
use crate::tools::{self, NODE, NPM};
use crate::workspace::Workspace;
use std::path::Path;
use std::process::Command;

/// An asset, by the folder that it is made from.
#[derive(Clone, Copy)]
pub(crate) struct Script(&'static str);

/// What highlights code.
pub(crate) const HIGHLIGHT: Script = Script("highlight");
/// What keeps on the device how answers came about.
pub(crate) const DEVICE: Script = Script("device");

/// Installs the packages of both.
pub(crate) fn install_all(workspace: &Workspace) -> Result<(), Error> {
    HIGHLIGHT.install(workspace)?;
    DEVICE.install(workspace)
}

impl Script {
    /// Installs the packages of its `package-lock.json`, unless they are there: two builds at once would take them from each other.
    pub(crate) fn install(self, workspace: &Workspace) -> Result<(), Error> {
        tools::ensure_packaged(workspace, &[&NODE, &NPM])?;
        if process::answer(self.npm(workspace).arg("ls")).is_some() {
            return Ok(());
        }
        process::run(self.npm(workspace).args([
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
        ]))
    }

    /// Writes the bundle.
    pub(crate) fn bundle(self, workspace: &Workspace, file: &Path) -> Result<(), Error> {
        self.install(workspace)?;
        process::run(
            self.npm(workspace)
                .args(["run", "--silent", "build", "--"])
                .arg(format!("--outfile={}", file.display())),
        )
    }

    /// The tests of the bundle; its packages are installed by then.
    pub(crate) fn tests(self, workspace: &Workspace) -> Command {
        let mut command = self.npm(workspace);
        command.arg("test");
        command
    }

    fn npm(self, workspace: &Workspace) -> Command {
        let mut command = workspace.command("npm");
        command.current_dir(workspace.path(self.0));
        command
    }
}
