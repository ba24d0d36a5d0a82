//! The widgets that run on this page, each with the number (handle) by which the loader names it.
//! Each has its own state, requests and reactive owner.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use assent_conversation::{Announcement, Change, Failure, Input, Intent, PageRequest, State};
use js_sys::{Function, Object};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use super::details;
use super::host_events::HostEvents;
use super::options::{self, Options};
use super::page_requests;
use super::stylesheet;
use crate::components::{Dispatch, ExtensionAccess, app, focus_part};
use crate::store::{Policies, Settings, Store, set_if_changed};
use assent_client::{ChangeSink, FirstThread, Runtime};

/// One widget that runs on the page. The fields are dropped in the order in which they are written
/// here.
struct Instance {
    /// The element that the widget is drawn in, and the mounted view, which is unmounted when this
    /// field is dropped. Empty until the widget is drawn.
    view: OnceCell<(HtmlElement, Box<dyn Any>)>,
    runtime: Runtime,
    /// The reactive owner of the widget's signals. It is dropped after the runtime, since only the
    /// runtime sets these signals from outside.
    owner: Owner,
    settings: Settings,
    store: Store,
    events: HostEvents,
}

impl Instance {
    /// Mounts the components of the widget in `container`, under the widget's owner.
    fn draw(&self, container: &HtmlElement) -> Box<dyn Any> {
        let dispatcher = self.runtime.dispatcher();
        let file_taker = self.runtime.file_taker();
        let image_reader = self.runtime.image_reader();
        let extensions = ExtensionAccess {
            offers: Box::new(self.runtime.offers()),
            call: Box::new(self.runtime.extension_caller()),
        };
        let (store, settings) = (self.store, self.settings);
        let view = self.owner.with(|| {
            let container = container.clone();
            mount_to(container.clone(), move || {
                let dispatch = Dispatch::new(
                    move |intent| dispatcher(intent),
                    move |batch, file| file_taker(batch, file),
                    image_reader,
                    extensions,
                );
                app(&container, store, settings, dispatch)
            })
        });
        Box::new(view)
    }
}

thread_local! {
    static INSTANCES: RefCell<Vec<(u32, Rc<Instance>)>> = const { RefCell::new(Vec::new()) };
    static LAST_HANDLE: Cell<u32> = const { Cell::new(0) };
}

/// Starts a widget that is not drawn yet, and returns its handle. `as_given` is the page's object
/// that `options` was read from, for the diagnostic log; `texts` are the page's own texts by key;
/// `emit` is the loader's function for events.
pub(super) fn start(
    as_given: &Object,
    options: Options,
    texts: Option<&Object>,
    emit: Function,
) -> u32 {
    let handle = LAST_HANDLE.get().wrapping_add(1);
    LAST_HANDLE.set(handle);
    // An owner of its own: a widget that is made inside a handler of another one must not end with
    // it.
    let outside = Owner::current();
    let owner = Owner::new_root(None);
    match outside {
        Some(outside) => outside.set(),
        None => owner.clone().unset(),
    }
    let (mut settings, store) = owner.with(|| (Settings::default(), Store::new(&State::new())));
    settings.shows_approvals = options.connection.every_agent;
    for (name, value) in &options.settings {
        options::apply_attribute(&settings, name, Some(value));
    }
    options::apply_texts(&settings, texts);
    let events = HostEvents::new(emit, settings.texts);
    if let Some(store) = store {
        let runtime = Runtime::new(
            options.connection,
            Rc::new(events.clone()),
            change_sink(store, events.clone()),
        );
        runtime.log_options(as_given);
        runtime.set_dialect(options.dialect);
        runtime.start(options.first_thread);
        let instance = Instance {
            view: OnceCell::new(),
            runtime,
            owner,
            settings,
            store,
            events,
        };
        INSTANCES.with_borrow_mut(|instances| instances.push((handle, Rc::new(instance))));
    }
    handle
}

/// Draws the widget with this handle inside `container`.
pub(super) fn mount(handle: u32, container: HtmlElement) {
    if let Some(instance) = find(handle) {
        stylesheet::adopt_sheet(&container);
        let view = instance.draw(&container);
        instance.view.set((container, view)).ok();
    }
}

/// Returns the function that the runtime calls with the core's changes: it updates the store's
/// signals, and tells the loader of requests for approval and of how many wait.
fn change_sink(store: Store, events: HostEvents) -> ChangeSink {
    Box::new(move |state, changes| {
        store.apply(state, changes);
        let mut is_new = false;
        for change in changes {
            if let Change::Announce(Announcement::ApprovalNeeded { tools, elsewhere }) = change {
                events.report_asked(tools, elsewhere.as_deref());
                is_new = true;
            }
        }
        if changes.contains(&Change::Waiting) {
            events.set_pending_count(details::count_waiting(state));
            events.report_waiting(state, is_new);
        }
    })
}

/// Sets an attribute of the widget with this handle to a new value; `None` if the attribute was
/// removed.
pub(super) fn update(handle: u32, name: &str, value: Option<&str>) {
    let Some(instance) = find(handle) else { return };
    match name {
        "thread-id" => match options::parse_first_thread(value) {
            FirstThread::LastUsed => {}
            FirstThread::New => instance.runtime.queue_intent(Intent::NewThread),
            FirstThread::Thread(thread) => {
                instance.runtime.queue_intent(Intent::OpenThread(thread));
            }
        },
        "dialect" => instance.runtime.set_dialect(options::parse_dialect(value)),
        "locale" => {
            options::apply_attribute(&instance.settings, name, value);
            instance.events.send_news();
        }
        _ => options::apply_attribute(&instance.settings, name, value),
    }
}

/// Sets the page's function that uploads files; `None` removes it, and then no file can be
/// attached.
pub(super) fn set_uploader(handle: u32, uploader: Option<Function>) {
    if let Some(instance) = find(handle) {
        set_if_changed(&instance.settings.can_attach, uploader.is_some());
        instance.runtime.set_uploader(uploader);
    }
}

/// Sets the texts that an empty conversation suggests as a first message.
pub(super) fn set_suggestions(handle: u32, suggestions: Vec<String>) {
    if let Some(instance) = find(handle) {
        set_if_changed(&instance.settings.suggestions, suggestions);
    }
}

/// Sets the page's functions that return the token and the headers of requests to the service;
/// `None` removes the function.
pub(super) fn set_access(handle: u32, token: Option<Function>, headers: Option<Function>) {
    if let Some(instance) = find(handle) {
        instance.runtime.set_access(token, headers);
    }
}

/// Carries out a method of the element that the page has called; `Err` is a call with wrong
/// arguments. At the end `resolve` or `reject`, the functions of the method's promise, is called.
pub(super) fn dispatch_request(
    handle: u32,
    request: Result<PageRequest, Failure>,
    resolve: Function,
    reject: Function,
) {
    if let Some(instance) = find(handle) {
        let resolver = page_requests::resolver(
            instance.settings.texts.with_untracked(|it| *it),
            resolve,
            reject,
        );
        match request {
            Ok(request) => instance.runtime.dispatch_request(request, resolver),
            Err(failure) => resolver(Err(failure)),
        }
    }
}

/// Sets the page's own texts by key; `None` removes all of them.
pub(super) fn set_texts(handle: u32, given: Option<&Object>) {
    if let Some(instance) = find(handle) {
        options::apply_texts(&instance.settings, given);
        instance.events.send_news();
    }
}

/// Stops the answer that is being written in the open conversation.
pub(super) fn stop(handle: u32) {
    if let Some(instance) = find(handle) {
        instance.runtime.queue_intent(Intent::Stop);
    }
}

/// Tells the core whether the widget is visible, so that answers nobody sees count as unread.
pub(super) fn watch(handle: u32, is_visible: bool) {
    if let Some(instance) = find(handle) {
        instance
            .runtime
            .dispatch(Input::VisibilityChanged(is_visible));
    }
}

/// Returns the widget's part of the element's property `state` (`details::snapshot`); `None` for an
/// unknown handle.
pub(super) fn snapshot(handle: u32) -> Option<JsValue> {
    Some(find(handle)?.runtime.with_state(details::snapshot))
}

/// Returns the draft of the open conversation; `None` for an unknown handle.
pub(super) fn draft(handle: u32) -> Option<String> {
    let draft = |state: &State| state.open_conversation().map(|open| open.draft.clone());
    find(handle)?.runtime.with_state(draft)
}

/// Sets the page's functions that decide to which addresses links in answers may lead, and from
/// which addresses images are loaded without asking.
pub(super) fn set_policies(handle: u32, policies: Policies) {
    if let Some(instance) = find(handle) {
        set_if_changed(&instance.settings.answers.policies, policies);
    }
}

/// Moves the focus to the message box, or to what waits where that is shown alone, if the widget with
/// this handle is drawn.
pub(super) fn focus(handle: u32) {
    let instance = find(handle);
    if let Some((container, _)) = instance.as_ref().and_then(|it| it.view.get()) {
        let _ = focus_part(container, "input") || focus_part(container, "transcript");
    }
}

/// Ends the widget with this handle: unmounts its view and ends its runtime.
pub(super) fn end_instance(handle: u32) {
    let ended = INSTANCES.with_borrow_mut(|instances| {
        let at = instances.iter().position(|(known, _)| *known == handle)?;
        Some(instances.swap_remove(at))
    });
    // Outside of the borrow: unmounting runs the components' clean-up.
    drop(ended);
}

/// Returns for each running widget what sends its events to the page; empty if the list of widgets
/// is borrowed at this very moment.
#[cfg(debug_assertions)]
pub(super) fn all_host_events() -> Vec<HostEvents> {
    INSTANCES.with(|instances| match instances.try_borrow() {
        Ok(instances) => instances
            .iter()
            .map(|(_, instance)| instance.events.clone())
            .collect(),
        Err(_) => Vec::new(),
    })
}

fn find(handle: u32) -> Option<Rc<Instance>> {
    INSTANCES.with_borrow(|instances| {
        let found = instances.iter().find(|(known, _)| *known == handle);
        found.map(|(_, instance)| instance.clone())
    })
}
