//! Vectors of texts from any server that speaks the embeddings of OpenAI.

use std::{fmt, time::Duration};

use reqwest::{
    Client, Url,
    header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue},
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    http_client::client_for,
    telemetry::spans::{self, ModelOperation},
};

/// The time that one request for vectors may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Most texts for which one request asks for vectors.
pub(super) const TEXTS_PER_REQUEST: usize = 32;
/// Longest answer to a request for vectors, in bytes.
const MAX_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// A model that makes vectors of texts, at a server.
pub(in crate::agents::model) struct Embeddings {
    client: Client,
    url: Url,
    pub(in crate::agents::model) name: String,
    key: Option<HeaderValue>,
}

impl fmt::Debug for Embeddings {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Embeddings({})", self.name)
    }
}

#[derive(Deserialize)]
struct EmbeddingAnswer {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Embeddings {
    /// Makes a client; nothing is sent yet. `bearer` is the header with the key.
    pub(in crate::agents::model) fn new(
        url: Url,
        name: String,
        bearer: Option<HeaderValue>,
    ) -> Result<Self, String> {
        let client = client_for(&url)
            .timeout(TIMEOUT)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self {
            client,
            url,
            name,
            key: bearer,
        })
    }

    /// Returns a vector for each text, in the order of the texts.
    pub(in crate::agents::model) async fn vectors(
        &self,
        texts: &[String],
    ) -> Result<Vec<Vec<f32>>, String> {
        let mut vectors = Vec::new();
        for batch in texts.chunks(TEXTS_PER_REQUEST) {
            let span = spans::model_span(ModelOperation::Embeddings, &self.name, &self.url);
            let came = self.request_vectors(batch).await;
            vectors.extend(came.inspect_err(|_| spans::record_failure(&span, "failed"))?);
        }
        Ok(vectors)
    }

    async fn request_vectors(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let body = json!({ "model": self.name, "input": texts }).to_string();
        let mut request = self.client.post(self.url.clone()).body(body);
        request = request.header(CONTENT_TYPE, "application/json");
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, key);
        }
        let unreachable = |error: reqwest::Error| error.without_url().to_string();
        let mut response = request.send().await.map_err(unreachable)?;
        if !response.status().is_success() {
            return Err(format!("it answers with status {}", response.status()));
        }
        let mut bytes = Vec::new();
        while let Some(part) = response.chunk().await.map_err(unreachable)? {
            bytes.extend_from_slice(&part);
            if bytes.len() > MAX_ANSWER_BYTES {
                return Err("its answer is too long".to_owned());
            }
        }
        let answer: EmbeddingAnswer =
            serde_json::from_slice(&bytes).map_err(|_| "its answer holds no vectors".to_owned())?;
        let mut entries = answer.data;
        if entries.len() != texts.len() {
            return Err("it answers with another number of vectors".to_owned());
        }
        entries.sort_by_key(|entry| entry.index);
        Ok(entries.into_iter().map(|entry| entry.embedding).collect())
    }
}
