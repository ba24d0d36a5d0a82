//! The database of a test: a SQLite file, or, with `ASSENT_TEST_DATABASE=postgres`, a database of a
//! PostgreSQL cluster that the test program starts for itself and that ends with it. With
//! `ASSENT_TEST_DATABASE=distributed` that database behaves as the distributed relatives of
//! PostgreSQL do: all transactions are serializable, and advisory locks lock nothing.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use assent_service::store::{Database, Storage, Store};
use sqlx::{
    AssertSqlSafe, Connection as _, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions,
};

/// The database that a run of the tests is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    Sqlite,
    Postgres,
    Distributed,
}

fn this_run() -> Run {
    match std::env::var("ASSENT_TEST_DATABASE").as_deref() {
        Err(_) => Run::Sqlite,
        Ok("postgres") => Run::Postgres,
        Ok("distributed") => Run::Distributed,
        Ok(other) => panic!("ASSENT_TEST_DATABASE={other} is no database of the tests"),
    }
}

/// Returns true if tests run on PostgreSQL, in either profile.
pub fn on_postgres() -> bool {
    this_run() != Run::Sqlite
}

/// Gives a database the habits of the distributed relatives of PostgreSQL
/// (<https://www.cockroachlabs.com/docs/stable/postgresql-compatibility>).
const DISTRIBUTED: &str = "
    DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable',
            current_database());
        EXECUTE format('ALTER DATABASE %I SET search_path = public, no_locks, pg_catalog',
            current_database());
    END $$;
    CREATE SCHEMA no_locks;
    CREATE FUNCTION no_locks.pg_try_advisory_lock(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT TRUE';
    CREATE FUNCTION no_locks.pg_advisory_lock(bigint) RETURNS void LANGUAGE sql AS 'SELECT';
    CREATE FUNCTION no_locks.pg_advisory_unlock(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT TRUE'";

/// Returns the folder that holds the socket of this program's cluster, which is started first.
///
/// Nothing runs at the end of a test program, and it may be killed: the script that starts the cluster
/// waits for the end of its standard input, which comes with the end of this program in each case.
fn cluster() -> &'static Path {
    static CLUSTER: OnceLock<PathBuf> = OnceLock::new();
    CLUSTER.get_or_init(|| start_cluster(&mut Command::new("sh")))
}

/// Starts a cluster that listens on an address of this machine, too, where it encrypts; returns the file
/// of the authority of its certificate.
pub fn start_encrypted_cluster(address: &str) -> PathBuf {
    let mut shell = Command::new("sh");
    start_cluster(shell.env("ASSENT_TLS_ADDRESS", address)).join("server.crt")
}

fn start_cluster(shell: &mut Command) -> PathBuf {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/cluster.sh");
    let mut child = shell
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut folder = String::new();
    let mut printed = BufReader::new(child.stdout.take().unwrap());
    printed.read_line(&mut folder).unwrap();
    assert!(
        folder.ends_with('\n'),
        "PostgreSQL is not started: install the package postgresql, or see above"
    );
    // The pipe stays open, and the script alive, until this program ends.
    std::mem::forget(child);
    folder.trim_end().into()
}

/// Returns the socket of the cluster.
pub fn socket_of_cluster() -> PathBuf {
    cluster().join(".s.PGSQL.5432")
}

/// Kills the cluster as a crash of its machine does, and starts it again.
pub fn kill_cluster() {
    let process = std::fs::read_to_string(cluster().join("data/postmaster.pid")).unwrap();
    let process = process.lines().next().unwrap().to_owned();
    let killed = Command::new("kill").args(["-9", &process]).status();
    assert!(killed.unwrap().success());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/cluster.sh");
    let started = Command::new("sh").arg(script).arg(cluster()).status();
    assert!(started.unwrap().success());
}

/// Returns the address of a database of the cluster.
fn address(name: &str) -> String {
    let folder = cluster().display().to_string().replace('/', "%2F");
    format!("postgres:///{name}?host={folder}&user=assent")
}

/// Lets the leases of all services be over that use a database of the cluster, as they are some time
/// after a crash.
pub fn end_leases(address: &str) {
    let ended = Command::new("psql")
        .args(["--quiet", "--dbname", address, "--command"])
        .arg("UPDATE replicas SET expires_ms = 0")
        .status();
    assert!(ended.unwrap().success());
}

/// Returns all rows of a database of the cluster, as text.
pub fn dump(address: &str) -> Vec<u8> {
    let output = Command::new("pg_dump")
        .args(["--data-only", address])
        .output();
    let output = output.unwrap();
    assert!(output.status.success());
    output.stdout
}

/// Returns the name of a database of the cluster that has the service's tables: copying them takes a
/// third of the time of making them.
fn template() -> &'static str {
    static MADE: OnceLock<()> = OnceLock::new();
    MADE.get_or_init(|| {
        administer("postgres", "CREATE DATABASE migrated".to_owned());
        in_a_runtime_of_its_own(async {
            let address = address("migrated");
            // The tables of a newer service, for the tests of an older one.
            if let Some(newer) = std::env::var_os("ASSENT_TEST_NEWER") {
                let options = ["--database", address.as_str(), "migrate"];
                let migrated = Command::new(newer).args(options).status();
                assert!(migrated.unwrap().success());
            }
            let database: Database = address.parse().unwrap();
            let store = Store::open(&database.into()).await.unwrap();
            store.close().await;
        });
    });
    "migrated"
}

/// A database of one test, which is dropped with it.
pub enum TestDatabase {
    /// The file of SQLite in the test's folder.
    File,
    /// A database of the cluster, with its name once it is made.
    Cluster {
        name: OnceLock<String>,
        /// More of the statement that makes it, such as a locale; without any, it is made with the
        /// service's tables.
        options: &'static str,
    },
}

impl TestDatabase {
    /// Returns the database that this run of the tests is for.
    pub fn of_this_run() -> Self {
        if on_postgres() {
            Self::postgres("")
        } else {
            Self::File
        }
    }

    /// Returns a database of PostgreSQL, whatever this run is for.
    pub fn postgres(options: &'static str) -> Self {
        Self::Cluster {
            name: OnceLock::new(),
            options,
        }
    }

    /// Returns the address of the database as the service's option `--database` takes it, for a test
    /// in `folder`. A database of PostgreSQL is made by the first call.
    pub fn address(&self, folder: &Path) -> String {
        match self {
            Self::File => folder.join("test.sqlite").display().to_string(),
            Self::Cluster { name, options } => address(name.get_or_init(|| {
                let name = format!("t{}", uuid::Uuid::new_v4().simple());
                let template = if options.is_empty() {
                    format!("TEMPLATE {}", template())
                } else {
                    (*options).to_owned()
                };
                let create = format!("CREATE DATABASE {name} STRATEGY FILE_COPY {template}");
                administer("postgres", create);
                if this_run() == Run::Distributed {
                    administer(&name, DISTRIBUTED.to_owned());
                }
                name
            })),
        }
    }

    /// Returns the address of a database of the cluster behind a proxy on this port.
    pub fn address_at(&self, port: u16) -> String {
        let address = self.address(Path::new(""));
        let name = address.trim_start_matches("postgres:///");
        let name = name.split('?').next().unwrap();
        format!("postgres://assent@127.0.0.1:{port}/{name}?sslmode=disable")
    }

    /// Returns the places where a service keeps what it stores for a test in `folder`.
    pub fn storage(&self, folder: &Path) -> Storage {
        let database: Database = self.address(folder).parse().unwrap();
        Storage {
            database,
            uploads: folder.join("test.sqlite.uploads").into(),
        }
    }

    /// Connects to the database beside the service.
    pub async fn connect(&self, folder: &Path) -> Raw {
        if let Self::Cluster { .. } = self {
            let address = self.address(folder);
            return Raw::Postgres(PgConnection::connect(&address).await.unwrap());
        }
        let options = SqliteConnectOptions::new().filename(folder.join("test.sqlite"));
        Raw::Sqlite(SqliteConnection::connect_with(&options).await.unwrap())
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if let Self::Cluster { name, .. } = self
            && let Some(name) = name.get()
        {
            administer("postgres", format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

/// Runs a statement on a database of the cluster.
fn administer(database: &str, statement: String) {
    let address = address(database);
    in_a_runtime_of_its_own(async move {
        let mut connection = PgConnection::connect(&address).await.unwrap();
        let done = sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut connection);
        done.await.unwrap();
        connection.close().await.unwrap();
    });
}

/// Runs `work` to its end on a thread of its own: whoever calls may be inside of a runtime.
fn in_a_runtime_of_its_own(work: impl Future<Output = ()> + Send + 'static) {
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(work);
    };
    std::thread::spawn(run).join().unwrap();
}

/// A connection to a test's database beside the service.
pub enum Raw {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Raw {
    /// Runs a statement and returns the number of rows that it changed.
    pub async fn execute(&mut self, statement: impl Into<String>) -> sqlx::Result<u64> {
        let statement = AssertSqlSafe(statement.into());
        Ok(match self {
            Self::Sqlite(file) => {
                let done = sqlx::raw_sql(statement).execute(file).await?;
                done.rows_affected()
            }
            Self::Postgres(server) => {
                let done = sqlx::raw_sql(statement).execute(server).await?;
                done.rows_affected()
            }
        })
    }

    /// Returns the number that a query has for its answer; a truth is 0 or 1.
    pub async fn number(&mut self, query: &str) -> i64 {
        let query = AssertSqlSafe(format!("SELECT CAST(({query}) AS BIGINT)"));
        match self {
            Self::Sqlite(file) => sqlx::query_scalar(query).fetch_one(file).await,
            Self::Postgres(server) => sqlx::query_scalar(query).fetch_one(server).await,
        }
        .unwrap()
    }

    /// Returns the texts that a query has for its rows.
    pub async fn texts(&mut self, query: &'static str) -> Vec<String> {
        match self {
            Self::Sqlite(file) => sqlx::query_scalar(query).fetch_all(file).await,
            Self::Postgres(server) => sqlx::query_scalar(query).fetch_all(server).await,
        }
        .unwrap()
    }

    /// Takes the lock that keeps everybody else from writing.
    pub async fn lock(&mut self) {
        let statement = match self {
            Self::Sqlite(_) => "BEGIN IMMEDIATE",
            Self::Postgres(_) => {
                "BEGIN; LOCK TABLE threads, messages, runs, events, memories, \
                 approvals, uploads, readiness, transcript_items, tool_calls, audit, audit_checkpoints, grants, \
                 tool_definitions, token_use, user_memories, retrievals IN EXCLUSIVE MODE"
            }
        };
        self.execute(statement).await.unwrap();
    }

    pub async fn close(self) {
        match self {
            Self::Sqlite(file) => file.close().await.unwrap(),
            Self::Postgres(server) => server.close().await.unwrap(),
        }
    }
}
