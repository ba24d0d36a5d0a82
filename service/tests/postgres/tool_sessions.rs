//! Tool servers whose state is that of one conversation or one user: it is in one replica, wherever a
//! post comes to.

use std::sync::Arc;

use assent_protocol::SseEvent;
use assent_service::{AppState, Settings, agents::Agents, app, store::Store};
use serde_json::{Value, json};

use crate::common::{
    Folder, Service, USER, body as post_of, content,
    database::TestDatabase,
    decided,
    desk::write_agent,
    example,
    live::{End, Live},
    messages_of,
    model::{Model, Reply, calls, says},
    requests, settings, text, types,
};

const AUTO: &str = "[policy]\ndefault = \"auto\"\n";
const ASK: &str = "[policy]\ndefault = \"ask\"\n";
const NEW_STATE: &str = "This server was started anew: what earlier calls left in it is gone.\n";

/// Replicas that share a database, an agent file and a model.
struct Replicas {
    model: Model,
    replicas: Vec<(Service, Live)>,
}

impl Replicas {
    /// Starts two whose agent has a server `own` with this scope.
    async fn start(scope: &str, policy: &str, turns: usize) -> Self {
        let reply = |_| -> [Reply; 2] { [calls("", &[("own__count", json!({}))]), says("Done.")] };
        let model = Model::new((0..turns).flat_map(reply).collect()).await;
        let folder = Folder::with(TestDatabase::postgres(""));
        let program = example("notes");
        let own = format!(
            "[[mcp]]\nid = \"own\"\ncommand = [{program:?}, \"../../own.txt\"]\nscope = {scope:?}\n"
        );
        write_agent(&folder, &model, &(own + policy));
        let mut replicas = Vec::new();
        for _ in 0..2 {
            replicas.push(replica(&folder).await);
        }
        Self { model, replicas }
    }

    async fn thread(&self) -> String {
        self.replicas[0].0.thread("desk").await
    }

    async fn post(&self, at: usize, thread: &str, body: &Value) -> Vec<SseEvent> {
        let mut posted = self.replicas[at]
            .1
            .post(&messages_of(thread), USER, body)
            .await;
        assert_eq!(posted.status, 200, "{body}");
        let (events, end) = posted.rest().await;
        assert_eq!(end, End::Clean);
        events
    }

    /// Says something at a replica; returns what the tool then counted.
    async fn counted(&self, at: usize, thread: &str) -> String {
        let events = self.post(at, thread, &text("go")).await;
        assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Done.");
        self.result()
    }

    /// Returns the last result that the model was told.
    fn result(&self) -> String {
        let last = self.model.requests().pop().unwrap();
        let messages = last["messages"].as_array().unwrap();
        let mut results = messages.iter().filter(|m| m["role"] == "tool");
        results.next_back().unwrap()["content"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Returns the number of sessions of the server `own` at each replica.
    fn sessions(&self) -> Vec<usize> {
        let sessions = |(service, _): &(Service, Live)| {
            let servers = service.state.agents().servers();
            let own = servers.into_iter().filter(|(_, id, _)| id == "own");
            own.map(|(.., sessions)| sessions).sum()
        };
        self.replicas.iter().map(sessions).collect()
    }

    async fn stop(self) {
        for (_, live) in self.replicas {
            live.stop().await;
        }
    }
}

async fn replica(folder: &Arc<Folder>) -> (Service, Live) {
    let store = Store::open(&folder.storage()).await.unwrap();
    let agents = Agents::load(Some(&folder.0.join("agents"))).unwrap();
    let settings = Settings {
        lease: std::time::Duration::from_secs(2),
        ..settings()
    };
    let state = AppState::new(store, agents, settings);
    let service = Service {
        app: app(state.clone()),
        state,
        folder: Arc::clone(folder),
    };
    let live = service.listen().await;
    (service, live)
}

#[tokio::test]
async fn a_message_at_another_replica_finds_the_state_of_its_conversation() {
    let replicas = Replicas::start("thread", AUTO, 4).await;
    let (one, two) = (replicas.thread().await, replicas.thread().await);
    assert_eq!(replicas.counted(0, &one).await, "1");
    assert_eq!(replicas.counted(1, &one).await, "2");
    // Another conversation has its own state, where it begins.
    assert_eq!(replicas.counted(1, &two).await, "1");
    assert_eq!(replicas.counted(0, &two).await, "2");
    assert_eq!(replicas.sessions(), [1, 1]);
    replicas.stop().await;
}

#[tokio::test]
async fn a_message_in_another_conversation_finds_the_state_of_its_user() {
    let replicas = Replicas::start("user", AUTO, 2).await;
    let (one, two) = (replicas.thread().await, replicas.thread().await);
    assert_eq!(replicas.counted(0, &one).await, "1");
    assert_eq!(replicas.counted(1, &two).await, "2");
    assert_eq!(replicas.sessions(), [1, 0]);
    replicas.stop().await;
}

#[tokio::test]
async fn decisions_at_another_replica_are_told_and_run_where_the_state_is() {
    let replicas = Replicas::start("thread", ASK, 2).await;
    let thread = replicas.thread().await;
    for (at, expected) in [(0, "1"), (1, "2")] {
        let asked = replicas.post(0, &thread, &text("go")).await;
        let batch = &requests(&asked)[0];
        let decisions = post_of(&[decided(batch, &["APPROVED"])]);
        let events = replicas.post(at, &thread, &decisions).await;
        assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Done.");
        assert_eq!(replicas.result(), expected);
        let told = types(&events);
        assert!(
            told.contains(&"NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED"),
            "{told:?}"
        );
        assert!(
            events
                .iter()
                .any(|it| it.event_message.content.contains("own/count")),
            "{told:?}"
        );
    }
    assert_eq!(replicas.sessions(), [1, 0]);
    replicas.stop().await;
}

#[tokio::test]
async fn where_the_state_is_gone_the_model_is_told_so() {
    let mut replicas = Replicas::start("thread", AUTO, 3).await;
    let thread = replicas.thread().await;
    assert_eq!(replicas.counted(0, &thread).await, "1");
    let (_, first) = replicas.replicas.remove(0);
    first.stop().await;
    assert_eq!(
        replicas.counted(0, &thread).await,
        format!("{NEW_STATE}1"),
        "the former replica has ended"
    );
    assert_eq!(replicas.counted(0, &thread).await, "2");
    replicas.stop().await;
}
