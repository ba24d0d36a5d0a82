//! What the steps of `cargo xtask test` need and is missing is installed before the first of them.

use super::TestScope;
use crate::deploy;
use crate::dev;
use crate::e2e;
use crate::error::Error;
use crate::peers;
use crate::schemathesis;
use crate::site;
use crate::tools;
use crate::web;
use crate::workspace::Workspace;

/// Installs the programs that the steps of `scope` need.
pub(super) fn install_tools(workspace: &Workspace, scope: TestScope) -> Result<(), Error> {
    tools::ensure_components(workspace)?;
    tools::ensure_wasm_target(workspace)?;
    tools::ensure_packaged(workspace, &[&tools::POSTGRES, &tools::HAPROXY])?;
    if scope != TestScope::Fast {
        use tools::{
            CADDY, CHROMEDRIVER, CHROMIUM, FIREFOX, HEADLESS_SHELL, NGINX, NODE, NPM, WEBKIT, XVFB,
        };
        // All at once: each call that finds something missing updates the lists of packages.
        let programs = [
            &CHROMIUM,
            &HEADLESS_SHELL,
            &CHROMEDRIVER,
            &FIREFOX,
            &WEBKIT,
            &XVFB,
            &NODE,
            &NPM,
            &NGINX,
            &CADDY,
        ];
        tools::ensure_packaged(workspace, &programs)?;
        tools::ensure_rust_src(workspace)?;
        tools::ensure_wasm_bindgen(workspace)?;
        tools::ensure_trunk(workspace)?;
        web::install_packages(workspace)?;
    }
    Ok(())
}

/// Installs the packages that the steps of all tests need.
pub(super) fn install_packages(workspace: &Workspace) -> Result<(), Error> {
    install_whole_pages(workspace)?;
    peers::install_packages(workspace)?;
    schemathesis::install(workspace)?;
    deploy::install(workspace)
}

/// Installs what whole-page tests and the tests of scripts need.
pub(crate) fn install_whole_pages(workspace: &Workspace) -> Result<(), Error> {
    use tools::{FIREFOX, HEADLESS_SHELL, NODE, NPM};
    tools::ensure_packaged(workspace, &[&HEADLESS_SHELL, &FIREFOX, &NODE, &NPM])?;
    web::install_packages(workspace)?;
    dev::install_files_server(workspace)?;
    site::install_packages(workspace)?;
    e2e::install_packages(workspace)
}
