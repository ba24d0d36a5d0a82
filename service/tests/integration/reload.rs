//! Agents that are read anew while the service runs.

#![cfg(target_os = "linux")]

use std::sync::Arc;

use assent_service::agents::Agents;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::common::{
    self, Folder, content,
    desk::Desk,
    model::{Reply, calls, says},
    program::{TYPED, program, programs_in, start},
    until,
};

#[tokio::test]
async fn an_answer_ends_with_the_agents_that_it_began_with_and_then_their_servers_end() {
    let (go_on, end) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let list = || calls("", &[("notes__list", json!({}))]);
    let desk = Desk::new(vec![
        list(),
        Reply::Held(Arc::clone(&go_on), Box::new(list())),
        Reply::Held(Arc::clone(&end), Box::new(says("The old one."))),
    ])
    .await;
    let service = desk.service.clone();
    let folder = service.folder.0.join("agents");
    let thread = service.thread("desk").await;
    let asking = {
        let (service, thread) = (service.clone(), thread.clone());
        tokio::spawn(async move { service.say(&thread, "go").await })
    };
    until(async || desk.model.requests().len() == 2).await;
    let server = programs_in(&folder.join("desk"));
    assert_eq!(server.len(), 1);

    let file = folder.join("desk/agent.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"Desk\"", "\"The new one\"")).unwrap();
    service
        .state
        .replace_agents(Agents::load(Some(&folder)).unwrap());
    let answer = service
        .post(common::THREADS, &json!({ "agentId": "desk" }))
        .await;
    assert_eq!(answer.json()["agentName"], "The new one");

    // The old one asks its server once more: that one still runs, and it is not started again.
    go_on.add_permits(1);
    until(async || desk.model.requests().len() == 3).await;
    assert_eq!(programs_in(&folder.join("desk")), server);
    end.add_permits(1);
    let events = asking.await.unwrap();
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "The old one.");
    until(async || programs_in(&folder.join("desk")).is_empty()).await;
}

#[test]
fn a_signal_reads_the_agents_anew_and_a_broken_file_keeps_the_old_ones() {
    const AGENT: &str = "scenarios = []\nfallback = []\n[agent]\nname = \"A\"\nhandle = \"@a\"\n\
                         build_id = \"1\"\nbuild_type = \"T\"\n";
    let folder = Folder::new();
    let agents = folder.0.join("agents");
    let write = |id: &str, text: &str| {
        std::fs::create_dir_all(agents.join(id)).unwrap();
        std::fs::write(agents.join(id).join("agent.toml"), text).unwrap();
    };
    write("one", AGENT);
    let arguments = ["--api-key", "k", "--agents", agents.to_str().unwrap()];
    let mut running = start(&folder, program(&folder, &arguments));
    let status = |running: &common::program::Running, id: &str| {
        let answer = running.get(&format!("/api/assistants/threads/{id}"), TYPED);
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status(&running, "one"), "200");
    assert_eq!(status(&running, "two"), "404");

    write("two", &AGENT.replace("fallback = []", "fallback = nothing"));
    running.signal("HUP");
    let line = running.logged("the agents stay as they were");
    assert!(
        line.contains("two/agent.toml") && line.contains("line 2"),
        "{line}"
    );
    assert_eq!(status(&running, "one"), "200");
    assert_eq!(status(&running, "two"), "404");

    write("two", AGENT);
    std::fs::remove_dir_all(agents.join("one")).unwrap();
    running.signal("HUP");
    running.logged("agents are read anew");
    assert_eq!(status(&running, "two"), "200");
    assert_eq!(status(&running, "one"), "404");
    running.terminate();
}
