//! `cargo xtask shots`: screenshots of the widget in its states, for a person to look at, in
//! `target/shots/`, or the one of README.md. The states and sizes are listed in `e2e/shots.mjs`;
//! this builds and starts what it photographs.

use crate::dev;
use crate::dist;
use crate::e2e;
use crate::error::Error;
use crate::process;
use crate::servers;
use crate::tools::{self, CHROMIUM, NODE, NPM};
use crate::workspace::Workspace;

/// Builds `dist/` and the service, starts the service with an empty database, and takes screenshots
/// of the widget's states whose name contains `word`; `readme` is the picture in README.md.
pub(crate) fn take_pictures(workspace: &Workspace, word: &str) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&CHROMIUM, &NODE, &NPM])?;
    dist::build(workspace)?;
    e2e::install_packages(workspace)?;
    dev::install_files_server(workspace)?;
    let folder = workspace.path("target/shots");
    std::fs::create_dir_all(&folder).map_err(Error::of_file(&folder))?;
    let [page_port, service_port] = servers::free_ports()?;
    let origin = format!("http://127.0.0.1:{page_port}");
    let database = folder.join("assent.sqlite");
    if database.exists() {
        std::fs::remove_file(&database).map_err(Error::of_file(&database))?;
    }
    let _service = dev::start_service(
        workspace,
        service_port,
        &database,
        &["--allow-origin", &origin, "--pace", "0.1"],
    )?;
    let mut command = workspace.command("node");
    command
        .current_dir(workspace.path("e2e"))
        .env("ASSENT_PAGE_PORT", page_port.to_string())
        .env("ASSENT_SERVICE_PORT", service_port.to_string())
        .env("ASSENT_API_KEY", dev::DEV_KEY)
        .env("ASSENT_SHOTS", &folder)
        .args(["shots.mjs", word]);
    process::run(tools::pass_browsers(workspace, &mut command))?;
    println!("The pictures are in target/shots/, and that of README.md in docs/.");
    Ok(())
}
