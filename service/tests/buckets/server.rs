//! A server for buckets in the test's own process: it keeps them in a folder, checks signatures, and
//! behaves badly where a test wants it.

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};

use assent_service::store::FilePlace;
use axum::{
    body::Body,
    http::{Method, Request, Response, StatusCode, header},
};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use s3s::{auth::SimpleAuth, service::S3Service, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

pub(crate) const KEY_ID: &str = "id-of-the-key";
pub(crate) const SECRET: &str = "canary-of-the-bucket";
const BUCKET: &str = "assent-files";

/// How the server answers the requests that a test chooses.
#[derive(Clone, Debug)]
pub(crate) enum Mood {
    /// With a status and a code of S3, and more of what real servers repeat.
    Says(u16, &'static str),
    /// With a status, and an address if there is one.
    Redirects(Option<&'static str>),
    /// With a body that ends before its length.
    Truncates,
    /// By closing the connection.
    Hangs,
    /// Not at all.
    Sleeps,
}

/// Which requests are answered in a mood, and how many times.
struct Rude {
    mood: Mood,
    method: Method,
    /// What the query of the request has.
    query: &'static str,
    left: usize,
}

#[derive(Default)]
struct Shared {
    rude: Option<Rude>,
    requests: VecDeque<String>,
}

/// The server; it ends with the runtime of its test.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) folder: PathBuf,
    address: String,
    shared: Arc<Mutex<Shared>>,
}

impl Server {
    /// Starts a server with one bucket that is empty.
    pub(crate) async fn start(folder: PathBuf) -> Self {
        std::fs::create_dir_all(folder.join(BUCKET)).unwrap();
        let mut builder = S3ServiceBuilder::new(FileSystem::new(&folder).unwrap());
        builder.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
        let buckets = builder.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            folder,
            address: format!("http://{}", listener.local_addr().unwrap()),
            shared: Arc::default(),
        };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(serving.clone().serve(buckets.clone(), socket));
            }
        });
        server
    }

    async fn serve(self, buckets: S3Service, socket: TcpStream) {
        let answer = service_fn(move |request: Request<hyper::body::Incoming>| {
            let (server, buckets) = (self.clone(), buckets.clone());
            async move {
                let method = request.method().clone();
                let query = request.uri().query().unwrap_or_default().to_owned();
                let line = format!("{method} {}?{query}", request.uri().path());
                match server.mood_for(&method, &query, line) {
                    None => {
                        let answer = buckets.oneshot(request).await.unwrap();
                        Ok(answer.map(Body::new))
                    }
                    Some(Mood::Truncates) => {
                        let pieces = [Ok("half"), Err("and no more")];
                        let body = Body::from_stream(futures_util::stream::iter(pieces));
                        let answer = Response::builder().header(header::CONTENT_LENGTH, 10);
                        let answer =
                            answer.header(header::LAST_MODIFIED, "Wed, 21 Oct 2015 07:28:00 GMT");
                        Ok(answer.body(body).unwrap())
                    }
                    Some(Mood::Says(status, code)) => {
                        // A server reads what it is sent.
                        axum::body::to_bytes(Body::new(request.into_body()), usize::MAX)
                            .await
                            .ok();
                        let text = format!(
                            "<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>no</Message>\
                             <AWSAccessKeyId>{KEY_ID}</AWSAccessKeyId><StringToSign>{SECRET}\
                             </StringToSign></Error>"
                        );
                        let answer = Response::builder().status(status);
                        Ok(answer.body(Body::from(text)).unwrap())
                    }
                    Some(Mood::Redirects(to)) => {
                        let mut answer = Response::builder().status(StatusCode::MOVED_PERMANENTLY);
                        if let Some(to) = to {
                            answer = answer.header(header::LOCATION, to);
                        }
                        Ok(answer.body(Body::empty()).unwrap())
                    }
                    Some(Mood::Hangs) => Err("it hangs up"),
                    Some(Mood::Sleeps) => {
                        std::future::pending::<()>().await;
                        Err("it never comes here")
                    }
                }
            }
        });
        let serving = hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(socket), answer);
        // A client may go away.
        serving.await.ok();
    }

    fn mood_for(&self, method: &Method, query: &str, line: String) -> Option<Mood> {
        let mut shared = self.shared();
        shared.requests.push_back(line);
        let rude = shared.rude.as_mut()?;
        if rude.method != *method || !query.contains(rude.query) || rude.left == 0 {
            return None;
        }
        rude.left -= 1;
        Some(rude.mood.clone())
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap()
    }

    /// Lets the next requests of this kind be answered in a mood.
    pub(crate) fn be(&self, mood: Mood, method: Method, query: &'static str, times: usize) {
        self.shared().rude = Some(Rude {
            mood,
            method,
            query,
            left: times,
        });
    }

    /// Lets all requests be answered well again, and returns those that came.
    pub(crate) fn be_good(&self) -> Vec<String> {
        let mut shared = self.shared();
        shared.rude = None;
        shared.requests.drain(..).collect()
    }

    /// Returns the place of files in the bucket, with a short timeout of requests.
    pub(crate) fn place(&self) -> FilePlace {
        FilePlace::parse(&self.url(), self.environment()).unwrap()
    }

    pub(crate) fn url(&self) -> String {
        format!("s3://{BUCKET}/of/users")
    }

    pub(crate) fn environment(&self) -> [(String, String); 5] {
        [
            ("AWS_ENDPOINT", self.address.as_str()),
            ("AWS_ACCESS_KEY_ID", KEY_ID),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
            ("AWS_REGION", "eu-central-1"),
            ("AWS_READ_TIMEOUT", "2s"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
    }

    /// Returns the folder of the files of users.
    pub(crate) fn files(&self) -> PathBuf {
        self.folder.join(BUCKET).join("of/users")
    }

    /// Returns the names of the files of users.
    pub(crate) fn kept(&self) -> Vec<String> {
        let Ok(files) = std::fs::read_dir(self.files()) else {
            return Vec::new();
        };
        files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// Returns the number of parts of files that were not completed.
    pub(crate) fn parts(&self) -> usize {
        let files = std::fs::read_dir(&self.folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.contains(".part-")).count()
    }
}
