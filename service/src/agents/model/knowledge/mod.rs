//! Folders of knowledge: read when they changed, searched by words, and by meaning where a server
//! makes vectors.
//!
//! - [`folder`], [`passages`] – files and what they are read into.
//! - [`embeddings`] – vectors from a server.
//! - [`rank`] – one order of what was found in several ways.
//! - [`all_folders`] – all folders of an agent.

mod all_folders;
pub(super) mod embeddings;
mod folder;
mod passages;
mod rank;

use assent_protocol::notification;

use std::{collections::BTreeSet, path::PathBuf, sync::Arc, time::Duration};

use tokio::{sync::Mutex, task::spawn_blocking, time::Instant};

use self::{
    embeddings::{Embeddings, TEXTS_PER_REQUEST},
    folder::Listing,
};
use super::run::speech::Speech;
use crate::{
    Error, Result,
    store::Knowledge,
    transcript::knowledge::{FolderState, Passage, Shelf, Vector, words},
};

pub(super) use all_folders::KnowledgeFolders;

/// The number of passages that each way of searching proposes, for each one that a search gives in
/// the end.
const CANDIDATES_PER_RESULT: usize = 4;

/// The time after which a search makes no further vectors, but goes on with those that there are.
const VECTOR_TIME_LIMIT: Duration = Duration::from_secs(20);

/// A folder of knowledge of an agent, which can be searched.
#[derive(Debug)]
pub(super) struct KnowledgeFolder {
    shelf: Shelf,
    folder: PathBuf,
    /// Most passages that one search of the folder gives.
    top: usize,
    embeddings: Option<Embeddings>,
    /// The vectors of all passages, with the revision that they are of; `None` until all are made.
    /// The lock is held while the folder is read, so that two turns do not read it at once.
    vectors: Mutex<Option<(String, Arc<Vec<Vector>>)>>,
    /// The lock of the one turn that makes vectors.
    making: Mutex<()>,
}

/// Why a way of searching (by words, or by meaning) does not work.
enum SearchFault {
    /// The way does not work for this reason, which the reader is told; the search goes on without
    /// it.
    Broken(String),
    /// An error of the service, with which the answer cannot go on.
    Service(Error),
}

impl From<Error> for SearchFault {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound(_) => Self::Service(error),
            error => {
                tracing::warn!(%error, "knowledge cannot be searched");
                Self::Broken("its index cannot be read".to_owned())
            }
        }
    }
}

impl KnowledgeFolder {
    pub(super) fn new(
        shelf: Shelf,
        folder: PathBuf,
        top: usize,
        embeddings: Option<Embeddings>,
    ) -> Self {
        Self {
            shelf,
            folder,
            top,
            embeddings,
            vectors: Mutex::default(),
            making: Mutex::default(),
        }
    }

    /// Returns the folder's id in the agent file.
    pub(super) fn id(&self) -> &str {
        &self.shelf.source
    }

    /// Returns a line about what the folder holds; an error says why it cannot be read.
    pub(super) async fn check(&self) -> std::result::Result<String, String> {
        match self.list().await {
            Ok(listing) => Ok(format!(
                "knowledge {}: {} files",
                self.id(),
                listing.count()
            )),
            Err(fault) => Err(format!("knowledge {}: {fault}", self.id())),
        }
    }

    /// Searches the folder for `query`, and tells the reader about it. If a part of the search
    /// fails, the reader is told so, and less is found.
    pub(super) async fn search(
        &self,
        query: &str,
        speech: &mut Speech<'_>,
    ) -> Result<Vec<Passage>> {
        let id = self.id();
        let about = format!("{id}: {query}");
        speech
            .tell(notification::KNOWLEDGE_RETRIEVAL_INITIATED, &about)
            .await;
        match self.find(query, speech).await {
            Ok(found) => Ok(found),
            Err(SearchFault::Service(error)) => Err(error),
            Err(SearchFault::Broken(why)) => {
                self.report_failure(&why, speech).await;
                Ok(Vec::new())
            }
        }
    }

    async fn find(
        &self,
        query: &str,
        speech: &mut Speech<'_>,
    ) -> Result<Vec<Passage>, SearchFault> {
        let id = self.id();
        let words = words(query);
        let knowledge = speech.answer.knowledge();
        let indexed = self.refresh(&knowledge).await?;
        let key = format!("{}/{id}/{}/{}", self.shelf.agent, self.top, words.join(" "));
        if let Some(found) = knowledge.found_before(&key, &indexed.revision).await? {
            let passages = self.read(&found, &knowledge).await?;
            let again = format!("{}, found before", passage_count_text(passages.len(), id));
            speech
                .tell(notification::KNOWLEDGE_RETRIEVAL_DUPLICATED_CACHED, &again)
                .await;
            return Ok(passages);
        }
        let width = self.top * CANDIDATES_PER_RESULT;
        let mut lists = vec![knowledge.search(&self.shelf, &words, width).await?];
        let mut whole = true;
        if let Some(embeddings) = &self.embeddings {
            let about = format!("{id}: comparing meanings");
            speech
                .tell(notification::KNOWLEDGE_RETRIEVAL_IN_PROGRESS, &about)
                .await;
            match self
                .search_by_meaning(embeddings, query, &indexed, &knowledge)
                .await
            {
                Ok((vectors, all)) => {
                    lists.push(vectors);
                    whole &= all;
                }
                Err(SearchFault::Service(error)) => return Err(SearchFault::Service(error)),
                Err(SearchFault::Broken(why)) => {
                    whole = false;
                    let why = format!("meanings cannot be compared, only words ({why})");
                    self.report_failure(&why, speech).await;
                }
            }
        }
        let found = rank::fuse(&lists, self.top);
        let passages = self.read(&found, &knowledge).await?;
        // What was found in one way only is searched again once the other one works.
        if whole {
            knowledge
                .keep_found(&key, &indexed.revision, &found)
                .await?;
        }
        let done = notification::KNOWLEDGE_RETRIEVAL_COMPLETED;
        speech
            .tell(done, &passage_count_text(passages.len(), id))
            .await;
        Ok(passages)
    }

    async fn report_failure(&self, why: &str, speech: &mut Speech<'_>) {
        let text = format!("{}: {why}", self.id());
        speech
            .tell(notification::KNOWLEDGE_RETRIEVAL_FAILED, &text)
            .await;
    }

    async fn read(&self, numbers: &[i64], knowledge: &Knowledge) -> Result<Vec<Passage>> {
        let mut passages = Vec::new();
        for number in numbers {
            passages.extend(knowledge.passage(&self.shelf, *number).await?);
        }
        Ok(passages)
    }

    async fn list(&self) -> Result<Listing, String> {
        let folder = self.folder.clone();
        let listed = spawn_blocking(move || folder::list(&folder)).await;
        match listed {
            Ok(Ok(listing)) => Ok(listing),
            Ok(Err(error)) => {
                tracing::warn!(folder = %self.folder.display(), %error, "it cannot be read");
                Err("its folder cannot be read".to_owned())
            }
            Err(_) => Err("its folder cannot be read".to_owned()),
        }
    }

    /// Reads the folder again if anything in it changed; returns its state as the index has it.
    async fn refresh(&self, knowledge: &Knowledge) -> Result<FolderState, SearchFault> {
        let mut vectors = self.vectors.lock().await;
        let listing = self.list().await.map_err(SearchFault::Broken)?;
        if let Some(indexed) = knowledge.folder_state(&self.shelf).await?
            && indexed.revision == listing.revision
        {
            return Ok(indexed);
        }
        *vectors = None;
        let revision = listing.revision.clone();
        let read = spawn_blocking(move || listing.passages()).await;
        let passages =
            read.map_err(|_| SearchFault::Broken("its files cannot be read".to_owned()))?;
        knowledge.fill(&self.shelf, &revision, &passages).await?;
        Ok(FolderState {
            revision,
            vectors_of: None,
        })
    }

    /// Returns the numbers of the passages nearest in meaning to `query`, and whether all passages
    /// could be compared.
    async fn search_by_meaning(
        &self,
        embeddings: &Embeddings,
        query: &str,
        indexed: &FolderState,
        knowledge: &Knowledge,
    ) -> Result<(Vec<i64>, bool), SearchFault> {
        let asked = [query.to_owned()];
        let (vectors, whole) = self.vectors_of(embeddings, indexed, knowledge).await?;
        let query = embeddings
            .vectors(&asked)
            .await
            .map_err(SearchFault::Broken)?;
        let query = query.first().map_or(&[][..], Vec::as_slice);
        Ok((
            rank::nearest(query, &vectors, self.top * CANDIDATES_PER_RESULT),
            whole,
        ))
    }

    /// Returns the vectors of the passages in the index, and whether none is missing. One turn
    /// makes missing vectors, for a while, and stores them as they come; other turns use those that
    /// there are.
    async fn vectors_of(
        &self,
        embeddings: &Embeddings,
        indexed: &FolderState,
        knowledge: &Knowledge,
    ) -> Result<(Arc<Vec<Vector>>, bool), SearchFault> {
        if let Some((revision, vectors)) = &*self.vectors.lock().await
            && *revision == indexed.revision
        {
            return Ok((Arc::clone(vectors), true));
        }
        let mut vectors = Vec::new();
        if indexed.vectors_of.as_ref() == Some(&embeddings.name) {
            vectors = knowledge.vectors(&self.shelf).await?;
        }
        let known: BTreeSet<i64> = vectors.iter().map(|(number, _)| *number).collect();
        let mut missing = knowledge.passages(&self.shelf).await?;
        missing.retain(|(number, _)| !known.contains(number));
        if !missing.is_empty() {
            let Ok(_making) = self.making.try_lock() else {
                return Ok((Arc::new(vectors), false));
            };
            let since = Instant::now();
            for batch in missing.chunks(TEXTS_PER_REQUEST) {
                if since.elapsed() > VECTOR_TIME_LIMIT {
                    return Ok((Arc::new(vectors), false));
                }
                let text = |(_, passage): &(i64, Passage)| {
                    format!("{}\n{}", passage.heading, passage.text)
                };
                let texts: Vec<String> = batch.iter().map(text).collect();
                let made = embeddings
                    .vectors(&texts)
                    .await
                    .map_err(SearchFault::Broken)?;
                let made: Vec<Vector> = batch.iter().map(|(n, _)| *n).zip(made).collect();
                let (revision, name) = (&indexed.revision, &embeddings.name);
                let stored = knowledge.put_vectors(&self.shelf, revision, name, &made);
                stored.await?;
                vectors.extend(made);
            }
        }
        let vectors = Arc::new(vectors);
        let kept = (indexed.revision.clone(), Arc::clone(&vectors));
        *self.vectors.lock().await = Some(kept);
        Ok((vectors, true))
    }
}

/// Returns the words about what was found, such as `3 passages of handbook`.
fn passage_count_text(number: usize, source: &str) -> String {
    match number {
        0 => format!("nothing in {source}"),
        1 => format!("1 passage of {source}"),
        _ => format!("{number} passages of {source}"),
    }
}
