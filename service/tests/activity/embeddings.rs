//! A server of vectors on this machine: the letters of a text, counted.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Semaphore};

pub struct Embeddings {
    pub url: String,
    /// Requests that came.
    pub answered: Arc<AtomicUsize>,
    /// A permit for each request of several texts.
    pub permits: Arc<Semaphore>,
}

impl Embeddings {
    /// A server that answers; one that is `down` answers with a failure.
    pub async fn new(down: bool) -> Self {
        Self::with(down, Semaphore::MAX_PERMITS).await
    }

    /// A server that answers with the vectors of several texts when it may.
    pub async fn held() -> Self {
        Self::with(false, 0).await
    }

    async fn with(down: bool, permits: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let answered = Arc::new(AtomicUsize::new(0));
        let permits = Arc::new(Semaphore::new(permits));
        let app = Router::new()
            .route("/v1/embeddings", post(answer))
            .with_state((down, Arc::clone(&answered), Arc::clone(&permits)));
        // It ends with the runtime of the test.
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self {
            url,
            answered,
            permits,
        }
    }

    /// The table of an agent file for a folder that is searched by meaning as well.
    pub fn table(&self) -> String {
        format!(
            "[[knowledge]]\nid = \"handbook\"\nfolder = \"handbook\"\n\
             embeddings = {{ base_url = {:?}, name = \"letters\" }}\n",
            self.url
        )
    }
}

async fn answer(
    State((down, answered, permits)): State<(bool, Arc<AtomicUsize>, Arc<Semaphore>)>,
    Json(body): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    if down {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    answered.fetch_add(1, Ordering::AcqRel);
    let texts = body["input"].as_array().unwrap();
    if texts.len() > 1 {
        permits.acquire().await.unwrap().forget();
    }
    let vector = |text: &Value| -> Vec<usize> {
        let text = text.as_str().unwrap().to_lowercase();
        ('a'..='z')
            .map(|letter| text.matches(letter).count())
            .collect()
    };
    // In the wrong order: the index counts.
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .rev()
        .map(|(index, text)| json!({ "index": index, "embedding": vector(text) }))
        .collect();
    Ok(Json(json!({ "data": data })))
}
