//! What is undone at the end of a test, also of one that fails: the tests share a page and a
//! module, and a panic of WebAssembly drops no values.

use std::cell::{Cell, RefCell};
use std::panic::{set_hook, take_hook};

type Undo = Box<dyn FnOnce()>;

thread_local! {
    /// What is not undone yet, each with its number, in the order of the tests.
    static WAITING: RefCell<Vec<(u32, Undo)>> = const { RefCell::new(Vec::new()) };
    static LAST: Cell<u32> = const { Cell::new(0) };
}

/// A guard that runs a function when it is dropped, or when the test panics.
#[must_use = "it ends with the value"]
pub(crate) struct Undone(u32);

impl Undone {
    pub(crate) fn new(undo: impl FnOnce() + 'static) -> Self {
        let number = LAST.get() + 1;
        LAST.set(number);
        if number == 1 {
            undo_upon_panic();
        }
        WAITING.with_borrow_mut(|waiting| waiting.push((number, Box::new(undo))));
        Self(number)
    }
}

impl Drop for Undone {
    fn drop(&mut self) {
        let undo = WAITING.with_borrow_mut(|waiting| {
            let at = waiting.iter().position(|(number, _)| *number == self.0)?;
            Some(waiting.remove(at).1)
        });
        if let Some(undo) = undo {
            undo();
        }
    }
}

/// Undoes everything, the last first, once the message of a panic is written.
fn undo_upon_panic() {
    let write = take_hook();
    set_hook(Box::new(move |info| {
        write(info);
        let last = || WAITING.with_borrow_mut(Vec::pop);
        while let Some((_, undo)) = last() {
            undo();
        }
    }));
}
