//! `Future` and `Stream` for wrapped futures and streams.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::SendWrapper;

impl<T> SendWrapper<T> {
    /// Projects the pin to the wrapped value, which is pinned with its wrapper: nothing moves it
    /// out of a pinned one.
    #[expect(unsafe_code, reason = "a projection to the only field")]
    fn pinned(self: Pin<&mut Self>) -> Pin<&mut T> {
        unsafe { self.map_unchecked_mut(|it| &mut it.0) }
    }
}

impl<F: Future> Future for SendWrapper<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.pinned().poll(context)
    }
}

impl<S: Stream> Stream for SendWrapper<S> {
    type Item = S::Item;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.pinned().poll_next(context)
    }
}
