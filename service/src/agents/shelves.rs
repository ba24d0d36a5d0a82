//! Shelves of an agent beyond a thread: folders of knowledge, and memories of users.

use futures_util::future::BoxFuture;

use crate::{
    Result,
    transcript::knowledge::{Indexed, Memory, Piece, Shelf, Vector},
};

/// Folders of knowledge, read into pieces that can be searched.
///
/// All its functions fail with [`crate::Error::Database`].
pub trait Knowledge: Send {
    /// Returns the state of a shelf; `None` if it was never filled.
    ///
    /// # Errors
    ///
    /// See above.
    fn indexed<'a>(&'a mut self, shelf: &'a Shelf) -> BoxFuture<'a, Result<Option<Indexed>>>;

    /// Replaces all pieces of a shelf; they are numbered from 0.
    ///
    /// # Errors
    ///
    /// See above.
    fn fill<'a>(
        &'a mut self,
        shelf: &'a Shelf,
        revision: &'a str,
        pieces: &'a [Piece],
    ) -> BoxFuture<'a, Result<()>>;

    /// Returns the numbers of the pieces with most of these words, best first.
    ///
    /// # Errors
    ///
    /// See above.
    fn search<'a>(
        &'a mut self,
        shelf: &'a Shelf,
        words: &'a [String],
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<i64>>>;

    /// Returns all pieces of a shelf with their numbers.
    ///
    /// # Errors
    ///
    /// See above.
    fn pieces<'a>(&'a mut self, shelf: &'a Shelf) -> BoxFuture<'a, Result<Vec<(i64, Piece)>>>;

    /// Returns one piece.
    ///
    /// # Errors
    ///
    /// See above.
    fn piece<'a>(
        &'a mut self,
        shelf: &'a Shelf,
        number: i64,
    ) -> BoxFuture<'a, Result<Option<Piece>>>;

    /// Stores vectors of pieces of a shelf, made by `model`, unless the shelf has another revision by
    /// now. Those of another model go.
    ///
    /// # Errors
    ///
    /// See above.
    fn put_vectors<'a>(
        &'a mut self,
        shelf: &'a Shelf,
        revision: &'a str,
        model: &'a str,
        vectors: &'a [Vector],
    ) -> BoxFuture<'a, Result<()>>;

    /// Returns the vectors of a shelf.
    ///
    /// # Errors
    ///
    /// See above.
    fn vectors<'a>(&'a mut self, shelf: &'a Shelf) -> BoxFuture<'a, Result<Vec<Vector>>>;

    /// Returns what the search `key` found before in this thread, in the same revision of a shelf.
    ///
    /// # Errors
    ///
    /// See above.
    fn found_before<'a>(
        &'a mut self,
        key: &'a str,
        revision: &'a str,
    ) -> BoxFuture<'a, Result<Option<Vec<i64>>>>;

    /// Keeps what a search found; [`crate::Error::NotFound`] if the thread was deleted.
    ///
    /// # Errors
    ///
    /// See above.
    fn keep_found<'a>(
        &'a mut self,
        key: &'a str,
        revision: &'a str,
        found: &'a [i64],
    ) -> BoxFuture<'a, Result<()>>;
}

/// The memories that an agent keeps of the thread's user.
///
/// All its functions fail with [`crate::Error::Database`], and with [`crate::Error::NotFound`] if
/// the thread was deleted.
pub trait Memories: Send {
    /// Returns what `agent` keeps that has most of these words, best first.
    ///
    /// # Errors
    ///
    /// See above.
    fn recall<'a>(
        &'a mut self,
        agent: &'a str,
        words: &'a [String],
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Memory>>>;

    /// Keeps a sentence, and forgets the oldest of more than `most`; returns its number.
    ///
    /// # Errors
    ///
    /// See above.
    fn keep<'a>(
        &'a mut self,
        agent: &'a str,
        text: &'a str,
        most: usize,
    ) -> BoxFuture<'a, Result<i64>>;

    /// Forgets a sentence; false if there is none of this number.
    ///
    /// # Errors
    ///
    /// See above.
    fn forget<'a>(&'a mut self, agent: &'a str, number: i64) -> BoxFuture<'a, Result<bool>>;
}
