//! The queue of inputs: the parts of the runtime put them in, and the event loop takes them out.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use assent_conversation::Input;
use wasm_bindgen_futures::spawn_local;

/// The inputs that were not processed, oldest first.
pub(super) struct InputQueue {
    queue: RefCell<VecDeque<Input>>,
    /// Processes all inputs of the queue, unless that is under way.
    process: Box<dyn Fn()>,
}

impl InputQueue {
    pub(super) fn new(process: impl Fn() + 'static) -> Rc<Self> {
        Rc::new(Self {
            queue: RefCell::default(),
            process: Box::new(process),
        })
    }

    /// Dispatches one input. One that comes during another waits for its turn.
    pub(super) fn dispatch(&self, input: Input) {
        self.dispatch_all([input]);
    }

    pub(super) fn dispatch_all(&self, inputs: impl IntoIterator<Item = Input>) {
        self.queue.borrow_mut().extend(inputs);
        (self.process)();
    }

    /// Dispatches the result of `work`, if there is one, unless the runtime is gone by then.
    pub(super) fn dispatch_result_of(
        self: &Rc<Self>,
        work: impl Future<Output = Option<Input>> + 'static,
    ) {
        self.dispatch_boxed(Box::pin(work));
    }

    fn dispatch_boxed(self: &Rc<Self>, work: Pin<Box<dyn Future<Output = Option<Input>>>>) {
        let weak = Rc::downgrade(self);
        spawn_local(async move {
            let input = work.await;
            if let Some((inputs, input)) = weak.upgrade().zip(input) {
                inputs.dispatch(input);
            }
        });
    }

    /// Puts an input before all others.
    pub(super) fn put_first(&self, input: Input) {
        self.queue.borrow_mut().push_front(input);
    }

    /// Takes the next input.
    pub(super) fn next(&self) -> Option<Input> {
        self.queue.borrow_mut().pop_front()
    }
}
