//! One trial: people act, the network heals, every page comes to rest, and everything is checked.

use std::fmt;

use assent_conversation::{Intent, ThreadId};
use axum::http::Method;
use serde_json::Value;

use crate::{
    agent::AGENT,
    check::{self, Problem, Property, Truth},
    common::THREADS,
    mutant::Mutant,
    world::World,
};

/// Actions of a trial.
const ACTIONS: usize = 60;
/// Rounds of reading again until every page is at rest.
const ROUNDS: usize = 4;

/// The outcome of a trial.
pub struct Report {
    pub problems: Vec<Problem>,
    pub story: Vec<String>,
    pub counts: Counts,
}

/// What happened in trials.
#[derive(Default)]
pub struct Counts {
    trials: usize,
    tabs: usize,
    posts: usize,
    /// Copies of posts that the service took, beside the first.
    copies: usize,
    refused: usize,
    /// Messages that were sent while an answer was written.
    queued: usize,
    acknowledged: usize,
    asked: usize,
    ran: usize,
    /// Those of them that a person had changed.
    edited: usize,
    /// Tools about which nobody decided in time.
    ended: usize,
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.trials += other.trials;
        self.tabs += other.tabs;
        self.posts += other.posts;
        self.copies += other.copies;
        self.refused += other.refused;
        self.queued += other.queued;
        self.acknowledged += other.acknowledged;
        self.asked += other.asked;
        self.ran += other.ran;
        self.edited += other.edited;
        self.ended += other.ended;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [
            (self.trials, "trials"),
            (self.tabs, "tabs"),
            (self.posts, "posts"),
            (self.queued, "messages that waited for the end of an answer"),
            (self.refused, "posts or copies that the service refused"),
            (self.copies, "copies that it took as messages of their own"),
            (self.acknowledged, "messages that a page was told are there"),
            (self.asked, "tools that waited for a decision"),
            (self.ran, "tools that ran"),
            (self.edited, "of them as a person had changed them"),
            (self.ended, "tools about which nobody decided in time"),
        ];
        rows.iter()
            .try_for_each(|(count, name)| writeln!(to, "{count:>8}  {name}"))
    }
}

pub async fn play(seed: u64, mutant: Mutant) -> Report {
    let mut world = World::new(seed, mutant).await;
    for user in 0..2 + world.random.below(2) {
        world.users.push(format!("user-{user}"));
        for _ in 0..1 + world.random.below(2) {
            world.devices.push(Default::default());
            let device = world.devices.len() - 1;
            world.open(device, user);
            if world.random.chance(60) {
                world.open(device, user);
            }
        }
    }
    let end = world.now + 1_000;
    world.run(end).await;
    world.weather = world.random.pick(&[5, 20, 35, 50]);
    for _ in 0..ACTIONS {
        world.act().await;
        let wait = world.random.pick(&[50, 500, 3_000, 3_000, 15_000, 70_000]);
        let end = world.now + world.random.time(wait);
        world.run(end).await;
    }
    let mut problems = Vec::new();
    world.heal();
    world.run(i64::MAX).await;
    let tabs: Vec<usize> = (0..world.tabs.len()).collect();
    let alive = tabs.into_iter().filter(|tab| world.tabs[*tab].is_alive);
    let alive: Vec<usize> = alive.collect();
    for tab in &alive {
        problems.extend(visit(&mut world, *tab).await);
    }
    for tab in &alive {
        let (device, user) = (world.tabs[*tab].device, world.tabs[*tab].user);
        world.close(*tab);
        // All messages to other tabs are there before the next one is closed.
        world.run(i64::MAX).await;
        let fresh = world.open(device, user);
        world.run(i64::MAX).await;
        problems.extend(visit(&mut world, fresh).await);
    }
    let truth = truth(&mut world).await;
    let mut unsent = Vec::new();
    for tab in world.tabs.iter().filter(|it| it.is_alive) {
        unsent.extend(check::unsent(&tab.state));
    }
    for device in &world.devices {
        let drafts = device.drafts.iter().map(|it| &it.text);
        let left = device.outbox.values().flatten().map(|it| &it.text);
        let texts = drafts.chain(left).flat_map(|it| crate::history::marks(it));
        unsent.extend(texts);
    }
    let history = &world.history;
    problems.extend(check::stored(history, &truth));
    problems.extend(check::posted(history));
    problems.extend(check::runs(history, &truth));
    problems.extend(check::kept(history, &truth, &unsent));
    let leaks = history
        .leaks
        .iter()
        .map(|it| (Property::Private, it.clone()));
    problems.extend(leaks);
    let statuses = || history.posts.iter().map(|post| &post.statuses);
    let took = |it: &Vec<u16>| it.iter().filter(|status| **status == 200).count();
    let edited = check::edited(history);
    let work = history.work.lock().unwrap();
    let counts = Counts {
        trials: 1,
        tabs: world.tabs.len(),
        posts: history.posts.len(),
        copies: statuses().map(|it| took(it).saturating_sub(1)).sum(),
        refused: statuses().map(|it| it.len() - took(it)).sum(),
        queued: history.queued,
        acknowledged: history.acknowledged.len(),
        asked: work.asked.len(),
        ran: work.ran.len(),
        edited,
        ended: check::ended(&truth).len(),
    };
    drop(work);
    Report {
        problems,
        story: std::mem::take(&mut world.history.story),
        counts,
    }
}

/// Opens every conversation of a page, lets it come to rest, and compares it.
async fn visit(world: &mut World, tab: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    world.intend(tab, Intent::RefreshThreads);
    world.run(i64::MAX).await;
    let rows = world.tabs[tab].state.threads.rows.iter();
    let rows: Vec<ThreadId> = rows.map(|it| it.id.clone()).collect();
    for thread in rows {
        world.intend(tab, Intent::OpenThread(thread.clone()));
        world.run(i64::MAX).await;
        let user = world.tabs[tab].user;
        let mut wrong = Vec::new();
        for _ in 0..ROUNDS {
            world.intend(tab, Intent::ReloadMessages);
            world.run(i64::MAX).await;
            let name = world.users[user].clone();
            let stored = world.server.stored(world.now, &name, thread.as_str()).await;
            let shown = world.tabs[tab].state.conversation_of(&thread);
            wrong = match (shown, stored) {
                (Some(shown), Some(stored)) => check::shown(&world.history, shown, &stored),
                // It may have been deleted elsewhere.
                (_, None) => Vec::new(),
                (None, Some(_)) => vec![(Property::Shown, "a thread is not shown".to_owned())],
            };
            if wrong.is_empty() {
                break;
            }
        }
        let place = format!("tab {tab}, {}", thread.as_str());
        let wrong = wrong.into_iter();
        problems.extend(wrong.map(|(property, what)| (property, format!("{place}: {what}"))));
    }
    problems
}

/// Reads what the service stores.
async fn truth(world: &mut World) -> Truth {
    let mut truth = Truth::new();
    for name in world.users.clone() {
        let call = (Method::GET, format!("{THREADS}/{AGENT}"), None);
        let (_, text) = world.server.ask(world.now, &name, call).await;
        let threads: Vec<Value> = serde_json::from_str(&text).unwrap();
        for thread in threads {
            let id = thread["id"].as_str().unwrap().to_owned();
            let stored = world.server.stored(world.now, &name, &id).await;
            truth.insert(id, stored.unwrap());
        }
    }
    truth
}
