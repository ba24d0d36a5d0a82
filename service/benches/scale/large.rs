//! A user with 100,000 conversations and 1,000,000 messages: how long a page of the list takes, and
//! one of a conversation.

use http_body_util::BodyExt as _;
use hyper::{Method, header};
use tokio::time::Instant;

use crate::{
    client::{Connection, Result},
    cluster::Server,
    figures::{at, milliseconds, sorted},
};

/// The user.
const USER: &str = "many";

/// Messages of each conversation but one, which has a tenth of all.
const MESSAGES: usize = 9;

/// The conversation that has a tenth of all messages.
const LONG: &str = "long";

/// Requests of each kind.
const REQUESTS: usize = 200;

/// Pages that are passed before one in the middle of a list is asked for.
const PAGES_BEFORE: usize = 20;

/// The length of a message's text, in bytes: all together have 1 GB in a file of SQLite.
const TEXT: usize = 850;

/// What databases spell in their own way.
pub(crate) struct Spelling {
    /// The numbers from 0 to one less than a number.
    pub(crate) series: fn(usize) -> String,
    /// A time, so many seconds after the begin of a year.
    pub(crate) time: &'static str,
}

pub(crate) const POSTGRES: Spelling = Spelling {
    series: |count| format!("generate_series(0, {}) AS s (n)", count - 1),
    time: "to_char(TIMESTAMP '2026-01-01' + INTERVAL '1 second' * seconds, \
           'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')",
};

pub(crate) const SQLITE: Spelling = Spelling {
    series: |count| {
        format!(
            "(WITH RECURSIVE s (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < {}) \
             SELECT n FROM s)",
            count - 1
        )
    },
    time: "strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || seconds || ' seconds')",
};

/// Returns the statements that fill a database with so many conversations.
pub(crate) fn statements(threads: usize, spelling: &Spelling) -> [String; 4] {
    let Spelling { series, time } = spelling;
    let thread = "'many', id, 'load', 'Load', '@load', 'load-1', 'A conversation', 1";
    let columns = "user_id, id, agent_id, agent_name, agent_handle, build_id, name, named, \
                   ordinal, last_message_time";
    let message = |thread: &str, number: &str| {
        format!(
            "'many', {thread}, {number} + 1, 'message-' || ({number} + 1), \
             CASE WHEN {number} % 2 = 0 THEN 'user' ELSE 'assistant' END, \
             CASE WHEN {number} % 2 = 0 THEN NULL ELSE '@load' END, \
             n || ' {}', '2026-01-01T00:00:00.000Z'",
            "word ".repeat(TEXT / 5)
        )
    };
    let insert = "INSERT INTO messages \
                  (user_id, thread_id, ordinal, id, role, handle, content, timestamp)";
    [
        // The order of times is not that in which rows lie on the disk.
        format!(
            "INSERT INTO threads ({columns}) SELECT {thread}, n + 2, {time} FROM \
             (SELECT n, 'thread-' || n AS id, n * 7919 % {threads} AS seconds FROM {}) t",
            series(threads)
        ),
        format!(
            "INSERT INTO threads ({columns}) SELECT {thread}, 1, {time} FROM \
             (SELECT '{LONG}' AS id, {threads} AS seconds) t"
        ),
        format!(
            "{insert} SELECT {} FROM {}",
            message(
                &format!("'thread-' || (n / {MESSAGES})"),
                &format!("(n % {MESSAGES})")
            ),
            series(threads * MESSAGES)
        ),
        format!(
            "{insert} SELECT {} FROM {}",
            message(&format!("'{LONG}'"), "n"),
            series(threads)
        ),
    ]
}

/// Asks for pages, and prints rows.
pub(crate) async fn measure(server: &Server, threads: usize) -> Result<()> {
    println!(
        "| {} messages in {} conversations | p50, p99 |",
        threads * (MESSAGES + 1),
        threads + 1
    );
    println!("|---|---|");
    let list = "/api/assistants/threads/load?limit=100".to_owned();
    let messages = |thread: &str| format!("/api/assistants/threads/{thread}/messages?limit=100");
    let mut asker = Asker {
        connection: Connection::open(server).await?,
    };
    let middle = asker.after_pages(&list).await?;
    let middle_of_long = asker.after_pages(&messages(LONG)).await?;
    let any = |number: usize| messages(&format!("thread-{}", number * 7919 % threads));
    asker
        .row("the first page of the list", |_| list.clone())
        .await?;
    asker
        .row("a page in the middle of the list", |_| middle.clone())
        .await?;
    asker.row("any conversation", any).await?;
    let name = format!("the conversation with {threads} messages");
    asker.row(&name, |_| messages(LONG)).await?;
    asker
        .row("a page in its middle", |_| middle_of_long.clone())
        .await
}

struct Asker<'a> {
    connection: Connection<'a>,
}

impl Asker<'_> {
    async fn row(&mut self, name: &str, path: impl Fn(usize) -> String) -> Result<()> {
        let mut times = Vec::new();
        for number in 0..REQUESTS {
            let since = Instant::now();
            self.ask(&path(number)).await?;
            times.push(milliseconds(since.elapsed()));
        }
        let times = sorted(&times);
        println!(
            "| {name} | {:.1}, {:.1} ms |",
            at(&times, 0.50),
            at(&times, 0.99)
        );
        Ok(())
    }

    /// Returns the path of the page that comes after some pages.
    async fn after_pages(&mut self, path: &str) -> Result<String> {
        let mut path = path.to_owned();
        for _ in 0..PAGES_BEFORE {
            path = self.ask(&path).await?.ok_or("there is no other page")?;
        }
        Ok(path)
    }

    /// Asks for a page, and returns the path of the next one.
    async fn ask(&mut self, path: &str) -> Result<Option<String>> {
        let sent = self.connection.send(Method::GET, USER, path, String::new());
        let response = sent.await?;
        let (parts, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        if parts.status != 200 || body.len() < 1000 {
            return Err(format!("{path}: {}, {} bytes", parts.status, body.len()).into());
        }
        let links = parts.headers.get(header::LINK);
        let links = links
            .and_then(|links| links.to_str().ok())
            .unwrap_or_default();
        let next = links.split(", ").find(|link| link.contains("rel=\"next\""));
        let query = next.and_then(|link| link.split_once('<')?.1.split_once('>'));
        let base = path.split('?').next().unwrap_or(path);
        Ok(query.map(|(target, _)| match target.split_once('?') {
            Some((_, query)) => format!("{base}?{query}"),
            None => target.to_owned(),
        }))
    }
}
