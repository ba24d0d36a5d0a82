//! `cargo xtask dev`: from a bare machine to a page on which a person talks to the service.
//! The page is built and served by Trunk, which passes `/api/` on to the service.

mod agent;
mod model;
mod ollama;
mod options;
mod ports;
mod service;

use crate::assets::{self, Asset};
use crate::cluster;
use crate::error::Error;
use crate::process;
use crate::servers::{self, Server};
use crate::tools::{self, NODE, NPM};
use crate::web;
use crate::workspace::Workspace;
use agent::RealAgent;
pub(crate) use agent::install_files_server;
use model::Model;
pub(crate) use options::Options;
use ports::Ports;
use service::Service;
pub(crate) use service::{DEV_KEY, start_service};
use std::fs;
use std::time::{Duration, Instant};

/// Timeout for the build of the page by Trunk, after the modules were compiled.
const PAGE_START_TIMEOUT: Duration = Duration::from_secs(300);
const STAGE_COUNT: usize = 6;

/// Installs, builds and serves all that the demo needs, and returns after Ctrl-C.
pub(crate) fn run(workspace: &Workspace, asked: &Options) -> Result<(), Error> {
    servers::until_stopped(|was_stopped| serve(workspace, asked, was_stopped))
}

fn serve(
    workspace: &Workspace,
    asked: &Options,
    was_stopped: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let stage = StageRunner { was_stopped };
    let ports = Ports::choose(asked.port)?;
    let named = Model::named_by(|name| std::env::var(name).ok())?;
    let model = named.or_else(|| ollama::first_model(ollama::USUAL_ADDRESS));
    stage.run(1, &tools_sentence(workspace), || {
        if asked.replicas.is_some() {
            cluster::install(workspace)?;
        }
        tools::ensure_wasm_target(workspace)?;
        tools::ensure_wasm_bindgen(workspace)?;
        tools::ensure_trunk(workspace)
    })?;
    let has_npm = tools::has_program(workspace, &NODE) && tools::has_program(workspace, &NPM);
    stage.run(2, scripts_sentence(has_npm), || {
        if has_npm && let Err(error) = web::install_packages(workspace) {
            println!("{error}: the page comes up without them.");
        }
        Ok(())
    })?;
    let model = model.filter(|_| has_npm);
    let agent = stage.run(3, &agent_sentence(model.as_ref(), has_npm), || {
        let model = model.as_ref();
        model
            .map(|model| agent::prepare_agent(workspace, model))
            .transpose()
    })?;
    let mut service = stage.run(4, &service_build_notice(workspace), || {
        service::build(workspace)?;
        let folder = agent.as_ref().map(|agent| agent.agents.to_string_lossy());
        let options = folder.iter().flat_map(|folder| ["--agents", folder]);
        let options: Vec<&str> = options.collect();
        match asked.replicas {
            Some(count) => {
                Service::start_replicas(workspace, ports.service, count, &options, was_stopped)
            }
            None => Service::start_one(workspace, ports.service, &options),
        }
    })?;
    stage.run(5, &page_build_notice(workspace), || compile_page(workspace))?;
    let mut page = stage.run(6, "Page: put together and served, some seconds.", || {
        start_page(workspace, &ports, agent.as_ref(), was_stopped)
    })?;
    println!("{}", welcome_text(ports.page, agent.as_ref(), &service));
    while !was_stopped() {
        service.keep_running()?;
        page.check_running()?;
        std::thread::sleep(Duration::from_millis(200));
    }
    println!("Stopping the page and the service.");
    Ok(())
}

/// Runs the stages of `cargo xtask dev`, such as the build of the service, one after the other,
/// until a person stops the command.
struct StageRunner<'stopped> {
    was_stopped: &'stopped dyn Fn() -> bool,
}

impl StageRunner<'_> {
    /// Prints the name of a stage and how long it may take, runs it, and prints how long it took.
    fn run<T>(
        &self,
        number: usize,
        sentence: &str,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        println!("\n[{number}/{STAGE_COUNT}] {sentence}");
        let start = Instant::now();
        let made = work()?;
        if (self.was_stopped)() {
            return Err(Error::Wrong("stopped".into()));
        }
        println!(
            "[{number}/{STAGE_COUNT}] Done in {} s.",
            start.elapsed().as_secs()
        );
        Ok(made)
    }
}

fn tools_sentence(workspace: &Workspace) -> String {
    let tools = [
        (
            tools::has_wasm_bindgen(workspace),
            "wasm-bindgen",
            tools::WASM_BINDGEN_VERSION,
            "2 minutes",
        ),
        (
            tools::has_trunk(workspace),
            "Trunk",
            tools::TRUNK_VERSION,
            "3 minutes",
        ),
    ];
    let are_downloaded = tools::downloads_tools(workspace);
    let missing: Vec<String> = tools
        .into_iter()
        .filter(|(is_there, ..)| !is_there)
        .map(|(_, name, version, time)| match are_downloaded {
            true => format!("{name} {version}"),
            false => format!("{name} {version} (about {time})"),
        })
        .collect();
    let missing_names = missing.join(" and ");
    match (missing.is_empty(), are_downloaded) {
        (true, _) => "Tools: wasm-bindgen and Trunk are there.".to_owned(),
        (false, true) => format!("Tools: {missing_names} will be downloaded, some seconds."),
        (false, false) => {
            format!("Tools: {missing_names} will be compiled, once; times are of two cores.")
        }
    }
}

const fn scripts_sentence(has_npm: bool) -> &'static str {
    match has_npm {
        true => {
            "Scripts: packages from npm for colours of code and for what is kept on the device, some seconds."
        }
        false => {
            "Scripts: npm is not installed, so code has no colours and nothing is kept on the device; install Node.js with npm to have both."
        }
    }
}

fn agent_sentence(model: Option<&Model>, has_npm: bool) -> String {
    match (model, has_npm) {
        (Some(model), _) => format!(
            "Agent: {} at {}, with a files server from npm, some seconds.",
            model.name, model.base_url
        ),
        (None, true) => "Agent: no model, so scenes are played. Start Ollama, or set ASSENT_MODEL_URL and ASSENT_MODEL, for a real agent.".to_owned(),
        (None, false) => "Agent: without npm there is no files server, so scenes are played.".to_owned(),
    }
}

fn service_build_notice(workspace: &Workspace) -> String {
    build_notice("Service", service::program_path(workspace).exists())
}

fn page_build_notice(workspace: &Workspace) -> String {
    let module = "wasm32-unknown-unknown/debug/assent_widget.wasm";
    build_notice("Page", workspace.target_folder().join(module).exists())
}

fn build_notice(what: &str, was_built: bool) -> String {
    match was_built {
        true => format!("{what}: what has changed is compiled, some seconds."),
        false => format!("{what}: compiled for the first time, about 3 minutes on two cores."),
    }
}

/// Compiles the WebAssembly modules of the page one after the other. Trunk would compile all at
/// once, so that they wait for each other and mix their output.
fn compile_page(workspace: &Workspace) -> Result<(), Error> {
    const BUILD: [&str; 3] = ["build", "--target=wasm32-unknown-unknown", "-p"];
    let assets = assets::read_assets(workspace)?;
    assets
        .iter()
        .filter_map(Asset::package)
        .try_for_each(|module| process::run(workspace.cargo().args(BUILD).arg(module)))
        .map_err(|_| not_built_error())
}

/// Starts Trunk, which builds the page and then serves it. If the build fails, Trunk goes on
/// without a page.
fn start_page(
    workspace: &Workspace,
    ports: &Ports,
    agent: Option<&RealAgent>,
    was_stopped: &dyn Fn() -> bool,
) -> Result<Server, Error> {
    // The page of an earlier build must not be taken for this one.
    let built = workspace.path("dist-dev");
    if built.exists() {
        fs::remove_dir_all(&built).map_err(Error::of_file(&built))?;
    }
    let config = ports.trunk_config(workspace)?;
    let mut trunk = workspace.command("trunk");
    if let Some(agent) = agent {
        // Trunk.toml puts it in the place of the page's own list.
        trunk.env("ASSENT_DEMO_AGENTS", &agent.list);
    }
    let mut page = Server::start(
        "the page server",
        trunk
            // Trunk reads this variable and stops at values other than true and false.
            .env_remove("NO_COLOR")
            .args(["serve", "--port", &ports.page.to_string(), "--config"])
            .arg(config),
    )?;
    match page.wait_for_status(ports.page, "/", PAGE_START_TIMEOUT, was_stopped)? {
        200 => Ok(page),
        _ => Err(not_built_error()),
    }
}

fn not_built_error() -> Error {
    Error::Wrong(
        "the page could not be built: mend the error above, and run `cargo xtask dev` again".into(),
    )
}

fn welcome_text(port: u16, agent: Option<&RealAgent>, service: &Service) -> String {
    let hint = match agent {
        Some(agent) => format!(
            "Open that page and ask for a change of a file: the agent works in
  {}
  and asks you before it changes anything there.",
            agent.files.display()
        ),
        None => "Open that page and type `help`: the agent answers with everything it can show,
  from a long answer to actions that need your approval."
            .to_owned(),
    };
    let about_service = service.about();
    format!(
        "
  Assent is running: http://127.0.0.1:{port}/

  {hint}
  Change a file under src/, style/, web/loader/ or public/ and the page rebuilds itself.
  {about_service}
"
    )
}
