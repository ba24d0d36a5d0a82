//! The agent that README.md prints under "Your own agent".

use assent_service::{AppState, agents::Agents, app, store::Store};

use crate::common::{Folder, Service, body, content, decided, requests, settings};

const COMPLETE: &str = "AGENT_RESPONSE_COMPLETE";

/// Saves the TOML blocks of README.md under the paths in their first lines.
fn save_agents(folder: &Folder) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    for block in readme.split("```toml\n").skip(1) {
        let text = block.split("```").next().unwrap();
        let path = text.trim_start().lines().next().unwrap();
        let file = folder.0.join(path.strip_prefix("# ../").unwrap());
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
}

#[tokio::test]
async fn the_agent_of_the_readme_asks_for_approval() {
    let folder = Folder::new();
    save_agents(&folder);
    let agents = Agents::load(Some(&folder.0.join("my-agents"))).unwrap();
    let store = Store::open(&folder.storage()).await.unwrap();
    let state = AppState::new(store, agents, settings());
    let app = app(state.clone());
    let service = Service { state, app, folder };
    let thread = service.thread("refunds").await;
    let help = service.say(&thread, "help").await;
    assert!(content(&help, COMPLETE).contains("a refund that needs your approval"));
    for (decision, text) in [("APPROVED", "on its way back"), ("DENIED", "paid out")] {
        let asked = requests(&service.say(&thread, "refund").await);
        let answer = body(&[decided(&asked[0], &[decision])]);
        let events = service.stream(&thread, &answer).await;
        assert!(content(&events, COMPLETE).contains(text));
    }
}
