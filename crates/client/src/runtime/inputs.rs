//! The queue of inputs: the parts of the runtime put them in, and the event loop takes them out.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use assent_conversation::Input;
use wasm_bindgen_futures::spawn_local;

/// The inputs of the core that were not processed yet, oldest first.
pub(super) struct InputQueue {
    queue: RefCell<VecDeque<Input>>,
    /// Gives all inputs of the queue to the core, one by one; does nothing while that is under way.
    process: Box<dyn Fn()>,
}

impl InputQueue {
    pub(super) fn new(process: impl Fn() + 'static) -> Rc<Self> {
        Rc::new(Self {
            queue: RefCell::default(),
            process: Box::new(process),
        })
    }

    /// Puts one input into the queue and has the queue processed. One that comes while another is
    /// processed waits for its turn.
    pub(super) fn dispatch(&self, input: Input) {
        self.dispatch_all([input]);
    }

    pub(super) fn dispatch_all(&self, inputs: impl IntoIterator<Item = Input>) {
        self.queue.borrow_mut().extend(inputs);
        (self.process)();
    }

    /// Dispatches the input that `work` results in, if any, unless the runtime is gone by then.
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

    /// Puts an input in front of all others in the queue.
    pub(super) fn put_first(&self, input: Input) {
        self.queue.borrow_mut().push_front(input);
    }

    /// Removes the next input from the queue and returns it.
    pub(super) fn next(&self) -> Option<Input> {
        self.queue.borrow_mut().pop_front()
    }
}
