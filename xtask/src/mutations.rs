//! `cargo xtask mutations`: faults that are put into the code of replicas, one after the other, in a
//! copy of the repository; for each a test has to fail.

use crate::checkout::Checkout;
use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A fault, and the test that has to find it.
struct Mutation {
    name: &'static str,
    file: &'static str,
    /// The text that is replaced wherever it is in the file, and what is there instead.
    from: &'static str,
    to: &'static str,
    /// The program with the test, as Cargo's options, and the name of the test.
    program: &'static [&'static str],
    test: &'static str,
}

const REPLICAS: &[&str] = &["--test", "postgres"];
const UNITS: &[&str] = &["--lib"];

const MUTATIONS: [Mutation; 13] = [
    Mutation {
        name: "a write without its owner and epoch",
        file: "service/src/store/replicas.rs",
        from: "id = $2 AND owner = $3 AND epoch = $4",
        to: "id = $2 AND (owner = $3 OR epoch >= 0 OR epoch = $4)",
        program: REPLICAS,
        test: "replicas::a_former_owner_writes_nothing_any_more",
    },
    Mutation {
        name: "runs that nobody sweeps",
        file: "service/src/store/replicas.rs",
        from: "AND NOT EXISTS (SELECT 1 FROM replicas p WHERE p.id = r.owner)",
        to: "AND FALSE",
        program: REPLICAS,
        test: "replicas::of_several_that_take_over_each_run_has_one",
    },
    Mutation {
        name: "a sweep that does not compare",
        file: "service/src/store/replicas.rs",
        from: "WHERE user_id = $2 AND id = $3 AND owner = $4 AND epoch = $5",
        to: "WHERE user_id = $2 AND id = $3 AND owner || $4 <> '' AND epoch + $5 > 0",
        program: REPLICAS,
        test: "replicas::of_several_that_take_over_each_run_has_one",
    },
    Mutation {
        name: "a run without its thread",
        file: "service/src/store/replicas.rs",
        from: "    threads::lock(writing, &run.thread).await?;\n    let held",
        to: "    let held",
        program: REPLICAS,
        test: "replicas::who_writes_of_a_run_waits_for_its_thread_first",
    },
    Mutation {
        name: "a plain join in the append",
        file: "service/src/store/events.rs",
        from: "WHERE id = $2 FOR KEY SHARE)",
        to: "WHERE id = $2)",
        program: REPLICAS,
        test: "replicas::an_append_waits_for_whoever_removes_the_row_of_its_replica",
    },
    Mutation {
        name: "an event before its commit",
        file: "service/src/answers/event_log/tail.rs",
        from: "        self.waiting.push(Arc::new(event));",
        to: "        let event = Arc::new(event);\n        self.add_recent(vec![event.clone()]);\n        \
             self.waiting.push(event);",
        program: UNITS,
        test: "answers::event_log::tail::tests::an_event_is_found_once_it_is_in_the_log",
    },
    Mutation {
        name: "a post that is not handed on",
        file: "service/src/store/handing_on.rs",
        from: "lives.then(|| last.into())",
        to: "lives.then(|| last.into()).filter(|_| false)",
        program: REPLICAS,
        test: "tool_sessions::a_message_at_another_replica_finds_the_state_of_its_conversation",
    },
    Mutation {
        name: "decisions that are not handed on",
        file: "service/src/store/recovery.rs",
        from: "            if row.handed_on == 1 {",
        to: "            if row.handed_on == 2 {",
        program: REPLICAS,
        test: "tool_sessions::decisions_at_another_replica_are_told_and_run_where_the_state_is",
    },
    Mutation {
        name: "a chain that goes on after its end is in doubt",
        file: "service/src/store/transaction.rs",
        from: "Err(error) => Ok(CommitOutcome::InDoubt(value, error)),",
        to: "Err(error) => {\n                    self.give_chain_back(false);\n                    \
             Ok(CommitOutcome::InDoubt(value, error))\n                }",
        program: REPLICAS,
        test: "audit::a_chain_whose_end_is_in_doubt_is_not_extended",
    },
    Mutation {
        name: "an end after events that were not taken",
        file: "service/src/answers/event_log/mod.rs",
        from: "if tail.look(Tail::is_lost) {",
        to: "if false {",
        program: REPLICAS,
        test: "replicas::an_answer_whose_events_were_not_taken_is_not_stored_as_complete",
    },
    Mutation {
        name: "a burial without the clock",
        file: "service/src/store/replicas.rs",
        from: "AND expires_ms < \"",
        to: "AND 0 < \"",
        program: REPLICAS,
        test: "replicas::who_comes_back_in_the_last_moment_is_not_removed",
    },
    Mutation {
        name: "connections of one that stands still",
        file: "service/src/store/replicas.rs",
        from: "            self.end_connections(&id, &process).await;\n",
        to: "            if process.is_empty() {\n                self.end_connections(&id, &process).await;\n            }\n",
        program: REPLICAS,
        test: "standstill::who_stands_still_between_execute_and_sync_holds_up_nobody",
    },
    Mutation {
        name: "a hint in place of the log",
        file: "service/src/answers/event_log/followed.rs",
        from: "all || hinted.contains(*id)",
        to: "all && hinted.contains(*id)",
        program: REPLICAS,
        test: "replicas::without_hints_the_same_is_found_by_looking",
    },
];

/// Puts in each fault whose name has `word` in it, and fails unless its test does.
pub(crate) fn run(workspace: &Workspace, word: &str) -> Result<(), Error> {
    let copy = Checkout::new(workspace, "mutations", "HEAD")?;
    let found = MUTATIONS
        .iter()
        .filter(|mutation| mutation.name.contains(word))
        .map(|mutation| mutation.is_found(workspace, copy.folder()))
        .collect::<Result<Vec<bool>, Error>>()?;
    let missed = found.iter().filter(|found| !**found).count();
    println!("{} faults, {missed} of them not found", found.len());
    match missed {
        0 => Ok(()),
        _ => Err(Error::Failed("cargo xtask mutations".to_owned())),
    }
}

impl Mutation {
    /// Returns true if the test passes without the fault and fails with it.
    fn is_found(&self, workspace: &Workspace, copy: &Path) -> Result<bool, Error> {
        let path = copy.join(self.file);
        let text = fs::read_to_string(&path).map_err(Error::of_file(&path))?;
        if !text.contains(self.from) {
            let name = self.name;
            return Err(Error::Wrong(format!(
                "{name}: {} has no text for it any more",
                self.file
            )));
        }
        if !self.passes(workspace, copy)? {
            println!("{}: its test fails without it", self.name);
            return Ok(false);
        }
        let write = |text: &str| fs::write(&path, text).map_err(Error::of_file(&path));
        write(&text.replace(self.from, self.to))?;
        let passes = self.passes(workspace, copy)?;
        write(&text)?;
        let outcome = if passes { "NOT FOUND" } else { "found" };
        println!("{}: {outcome}", self.name);
        Ok(!passes)
    }

    /// Returns true if the test passes. Code that does not compile is no test.
    fn passes(&self, workspace: &Workspace, copy: &Path) -> Result<bool, Error> {
        let command = || {
            let mut command = Command::new("cargo");
            command
                .current_dir(copy)
                .env("CARGO_TARGET_DIR", workspace.target_folder())
                .args(["test", "--quiet", "-p", "assent-service"])
                .args(self.program);
            command
        };
        let mut build = command();
        build.arg("--no-run");
        process::run(&mut build)?;
        let mut test = command();
        test.args(["--", "--exact", self.test]);
        let finished = process::run_hidden(test)?;
        if !finished.output.contains("1 test") {
            let name = self.test;
            return Err(Error::Wrong(format!("there is no test {name}")));
        }
        Ok(finished.success)
    }
}
