//! Virtual environments of Python with packages of pinned versions.

use crate::error::Error;
use crate::process;
use crate::tools;
use crate::workspace::Workspace;
use std::path::Path;

/// Installs the Python packages in the file `requirements`, which lists their dependencies, too,
/// into a virtual environment in `folder`, unless they are there.
pub(crate) fn install_packages(
    workspace: &Workspace,
    requirements: &str,
    folder: &Path,
) -> Result<(), Error> {
    let installed = folder.join("requirements.txt");
    let path = workspace.path(requirements);
    let wanted = std::fs::read_to_string(&path).map_err(Error::of_file(&path))?;
    if std::fs::read_to_string(&installed).is_ok_and(|known| known == wanted) {
        return Ok(());
    }
    tools::ensure_venv(workspace)?;
    process::run(
        workspace
            .command("python3")
            .args(["-m", "venv", "--clear"])
            .arg(folder),
    )?;
    let pip = folder.join("bin/pip");
    process::run(
        workspace
            .command(&pip.to_string_lossy())
            .args([
                "install",
                "--quiet",
                "--no-deps",
                "--disable-pip-version-check",
                "-r",
            ])
            .arg(&path),
    )?;
    // Last, so that what was installed by halves is installed again.
    std::fs::write(&installed, wanted).map_err(Error::of_file(&installed))
}
