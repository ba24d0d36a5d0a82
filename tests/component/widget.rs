//! A widget in a shadow root, without a service: tests feed inputs to the core, and check what it
//! draws.

use std::{cell::RefCell, rc::Rc};

use assent_conversation::{
    Change, Command, Failure, Input, Intent, Millis, State, StreamEnd, StreamId, UploadId, step,
};
use assent_protocol::{BatchId, ContentItem, SessionThread, SseEvent, StoredMessage};
use assent_widget::{
    components::{Dispatch, ExtensionAccess, app},
    store::{Settings, Store},
};
use js_sys::{Function, Promise};
use leptos::{mount::mount_to, prelude::Owner};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, File, HtmlElement};

use crate::approval_request::{TYPE, asking, tool_run};
use crate::host_page::Host;
use crate::renderer::{draw_with, renderer_guard, renderer_module};
use crate::undone::Undone;

/// The batch that a file was taken for, or `None` for the draft; and its name.
pub(crate) type TakenFile = (Option<BatchId>, String);

/// Returns the function that reads images: `globalThis.readImage`, which a test sets.
fn image_reader() -> Function {
    Function::new_with_args("id", "return globalThis.readImage(id)")
}

/// Asks the extensions: an extension is a function of `globalThis` with its name, which a test sets,
/// and without which the service does not have it. It is given the id, if there is one.
fn extensions() -> ExtensionAccess {
    let call = Function::new_with_args("of, id", "return globalThis[of](id)");
    let offers = Function::new_with_args("of", "return Boolean(globalThis[of])");
    ExtensionAccess {
        offers: Box::new(move |name| {
            let offered = offers.call1(&JsValue::NULL, &name.into());
            offered.unwrap().is_truthy()
        }),
        call: Box::new(move |of, id, _| {
            let id = match id.as_str() {
                "" => JsValue::UNDEFINED,
                id => id.into(),
            };
            let called = call.call2(&JsValue::NULL, &of.into(), &id);
            called.unwrap().unchecked_into()
        }),
    }
}

/// One mounted widget. It ends when the value is dropped, and so does the renderer.
pub(crate) struct Widget {
    /// The settings that the page may change.
    pub(crate) settings: Settings,
    /// The intents that were not carried out yet.
    intents: Rc<RefCell<Vec<Intent>>>,
    /// The names of the files that were given to the page, with the batch that each is for.
    pub(crate) files: Rc<RefCell<Vec<TakenFile>>>,
    state: State,
    store: Store,
    now: i64,
    /// The core's commands, in order.
    pub(crate) commands: Vec<Command>,
    // They are dropped in this order: the view, its signals, and its container.
    _view: Box<dyn std::any::Any>,
    _owner: Owner,
    _renderer: Undone,
    /// The container that it is mounted in.
    pub(crate) container: Host,
}

impl Widget {
    /// Creates a widget that shows a new conversation.
    pub(crate) fn new() -> Self {
        hold_pauses();
        let container = Host::new();
        let state = State::new();
        let owner = Owner::new_root(None);
        let (store, settings) = owner.with(|| (Store::new(&state).unwrap(), Settings::default()));
        let intents = Rc::new(RefCell::new(Vec::new()));
        let files = Rc::new(RefCell::new(Vec::new()));
        let view = {
            let (intents, files) = (intents.clone(), files.clone());
            let mounted = (*container).clone();
            mount_to(mounted.clone(), move || {
                let send = move |intent| intents.borrow_mut().push(intent);
                let attach = move |batch, file: File| {
                    let mut files = files.borrow_mut();
                    files.push((batch, file.name()));
                    u32::try_from(files.len()).map(UploadId).ok()
                };
                let dispatch = Dispatch::new(send, attach, image_reader(), extensions());
                app(&mounted, store, settings, dispatch)
            })
        };
        let mut widget = Self {
            settings,
            intents,
            files,
            state,
            store,
            now: 1_700_000_000_000,
            commands: Vec::new(),
            _view: Box::new(view),
            _owner: owner,
            _renderer: renderer_guard(),
            container,
        };
        widget.input(Input::Intent(Intent::Start { remembered: None }));
        widget
    }

    /// Gives the core an input, and draws.
    pub(crate) fn input(&mut self, input: Input) {
        let changes = self.input_before_frame(input);
        self.store.apply(&self.state, &changes);
    }

    /// Gives the core an input, and draws nothing yet. Returns what is to be shown.
    pub(crate) fn input_before_frame(&mut self, input: Input) -> Vec<Change> {
        self.now += 10;
        let output = step(&mut self.state, input, Millis(self.now));
        self.commands.extend(output.commands);
        output.changes
    }

    /// Lets this many milliseconds go by.
    pub(crate) fn wait(&mut self, millis: i64) {
        self.now += millis;
    }

    /// Shows these changes, as if all of them had come within one frame.
    pub(crate) fn show(&self, changes: &[Change]) {
        self.store.apply(&self.state, changes);
    }

    /// Carries out the intents since the last call, lets effects run, and returns the intents.
    pub(crate) async fn settle(&mut self) -> Vec<Intent> {
        let intents = self.intents.take();
        for intent in intents.clone() {
            self.input(Input::Intent(intent));
        }
        tick().await;
        intents
    }

    /// Sends a message by typing and Enter, and lets the service accept it; returns the stream of
    /// its answer.
    pub(crate) async fn send(&mut self, text: &str) -> StreamId {
        self.type_text(text);
        self.key("[part=input]", "Enter", false);
        self.settle().await;
        if let Some(Command::CreateThread { conversation, .. }) = self.commands.last().cloned() {
            let thread = SessionThread {
                id: "t1".into(),
                ..SessionThread::default()
            };
            self.input(Input::ThreadCreated {
                conversation,
                result: Ok(thread),
            });
        }
        let posted = self
            .commands
            .iter()
            .rev()
            .find_map(|command| match command {
                Command::Post { stream, .. } => Some(*stream),
                _ => None,
            });
        let stream = posted.expect("a post");
        self.input(Input::StreamOpened(stream));
        self.event(stream, "MESSAGE_RECEIVED", r#""content":"""#);
        tick().await;
        stream
    }

    /// Feeds an event of a stream; `message` is the inside of its `eventMessage`.
    pub(crate) fn event(&mut self, stream: StreamId, kind: &str, message: &str) {
        let event = format!(r#"{{"type":"{kind}","eventMessage":{{{message}}}}}"#);
        let event: SseEvent = serde_json::from_str(&event).unwrap();
        self.input(Input::StreamEvent(stream, Box::new(event)));
    }

    /// Returns a widget whose agent asks for these tools, see [`tool`], and waits.
    pub(crate) async fn asked(tools: &[String]) -> Self {
        let mut widget = Self::new();
        let stream = widget.send("do it").await;
        widget.ask(stream, tools).await;
        widget
    }

    /// Makes the agent ask for these tools and wait. The renderer is loaded.
    pub(crate) async fn ask(&mut self, stream: StreamId, tools: &[String]) {
        load_renderer();
        self.request_tools(stream, tools).await;
    }

    /// Makes the agent ask for these tools and wait, with or without the renderer.
    pub(crate) async fn request_tools(&mut self, stream: StreamId, tools: &[String]) {
        self.event(stream, TYPE, &asking(tools));
        self.input(Input::StreamEnded(stream, StreamEnd::Closed));
        tick().await;
    }

    /// Returns the last post.
    pub(crate) fn post(&self) -> (StreamId, Vec<ContentItem>) {
        let mut commands = self.commands.iter().rev();
        let post = commands.find_map(|command| match command {
            Command::Post {
                stream, content, ..
            } => Some((*stream, content.clone())),
            _ => None,
        });
        post.expect("a post")
    }

    /// Accepts the last post as the service does; returns its stream.
    pub(crate) async fn accept(&mut self) -> StreamId {
        let (stream, _) = self.post();
        self.input(Input::StreamOpened(stream));
        self.event(
            stream,
            "NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED",
            r#""content":"""#,
        );
        tick().await;
        stream
    }

    /// Answers the last read of messages.
    pub(crate) fn read_messages(&mut self, result: Result<Vec<StoredMessage>, Failure>) {
        let mut commands = self.commands.iter().rev();
        let reading = commands.find_map(|command| match command {
            Command::LoadMessages {
                conversation, load, ..
            } => Some((*conversation, *load)),
            _ => None,
        });
        let (conversation, load) = reading.expect("a reading");
        self.input(Input::Messages {
            conversation,
            load,
            result,
        });
    }

    /// Lets the pause after an announcement pass; returns what the regions say then: the polite one,
    /// and the assertive one.
    pub(crate) async fn said(&self) -> [String; 2] {
        tick().await;
        run("for (const act of globalThis.pauses.splice(0)) act()");
        tick().await;
        ["polite", "assertive"].map(|how| self.read(&format!("[aria-live={how}]")))
    }

    /// Scrolls to each tool that asks, as a person does, until all of them were seen.
    pub(crate) async fn look(&mut self) {
        tick().await;
        // Without a style sheet, an icon is as wide as the page.
        for icon in self.all("[part=approval-tool] svg") {
            icon.set_attribute("width", "16").unwrap();
        }
        for _ in 0..50 {
            for tool in self.all("[part=approval-tool]") {
                for is_top in [true, false] {
                    tool.scroll_into_view_with_bool(is_top);
                    // The foot of the card would lie over the lower edge.
                    let below = if is_top { 0.0 } else { 100.0 };
                    let window = web_sys::window().unwrap();
                    window.scroll_by_with_x_and_y(0.0, below);
                    self.paint().await;
                }
            }
            let open = self.state.open_conversation().unwrap();
            let mut runs = open
                .pending_batches()
                .into_iter()
                .flat_map(|batch| &batch.tools);
            if runs.all(|run| run.is_seen) {
                return;
            }
        }
        panic!("a tool was never seen");
    }

    /// Lets the browser paint, and carries out what follows.
    pub(crate) async fn paint(&mut self) {
        frames().await;
        self.settle().await;
    }

    /// Approves all tools of the card, once they were on the screen.
    pub(crate) async fn approve_all(&mut self) -> Vec<Intent> {
        self.look().await;
        let is_single = self.all("[part=approval-tool]").len() == 1;
        self.press(if is_single { "Approve" } else { "Approve all" })
            .await
    }

    /// Returns the button that sends the decisions on several tools.
    pub(crate) fn submit_button(&self) -> HtmlElement {
        self.one(".approval-foot button")
    }

    /// Sends the decisions on several tools.
    pub(crate) async fn submit(&mut self) -> Vec<Intent> {
        self.submit_button().click();
        self.settle().await
    }

    /// Goes to the note with which all is denied.
    pub(crate) async fn begin_note(&mut self) -> Vec<Intent> {
        self.one(".decisions .quiet").click();
        self.settle().await
    }

    /// Presses the button with this name, and carries out what follows.
    pub(crate) async fn press(&mut self, name: &str) -> Vec<Intent> {
        self.button(name).click();
        self.settle().await
    }

    /// Returns the visible text of the only element that `selector` finds, with each run of blanks
    /// as one.
    pub(crate) fn read(&self, selector: &str) -> String {
        let text = self.one(selector).text_content().unwrap();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Returns the focused element of the widget.
    pub(crate) fn focused(&self) -> Option<Element> {
        self.container.root().active_element()
    }

    /// Returns the texts of the elements that describe this one.
    pub(crate) fn description(&self, element: &Element) -> String {
        let ids = element
            .get_attribute("aria-describedby")
            .unwrap_or_default();
        let texts = ids
            .split(' ')
            .flat_map(|id| self.all(&format!("[id='{id}']")));
        texts.map(|it| it.text_content().unwrap()).collect()
    }

    /// Returns the only element that `selector` finds.
    pub(crate) fn one(&self, selector: &str) -> HtmlElement {
        let found = self.all(selector);
        assert_eq!(found.len(), 1, "{selector}");
        found[0].clone()
    }

    /// Returns all elements that `selector` finds.
    pub(crate) fn all(&self, selector: &str) -> Vec<HtmlElement> {
        let list = self.container.query_selector_all(selector).unwrap();
        (0..list.length())
            .map(|at| list.item(at).unwrap().unchecked_into())
            .collect()
    }

    /// Returns the button with this name, by its label or its text.
    pub(crate) fn button(&self, name: &str) -> HtmlElement {
        let is_named = |it: &HtmlElement| {
            it.get_attribute("aria-label")
                .or_else(|| it.text_content())
                .as_deref()
                == Some(name)
        };
        self.all("button")
            .into_iter()
            .find(is_named)
            .unwrap_or_else(|| panic!("no button {name}"))
    }

    /// Types into the message box.
    pub(crate) fn type_text(&self, text: &str) {
        fill(&self.one("[part=input]"), text);
    }

    /// Presses a key in the element that `selector` finds; returns true if the element handled it.
    pub(crate) fn key(&self, selector: &str, key: &str, composing: bool) -> bool {
        let script = "const e = new KeyboardEvent('keydown', { key, isComposing: composing === 'true', \
             bubbles: true, cancelable: true, composed: true }); return !element.dispatchEvent(e);";
        let press = Function::new_with_args("element, key, composing", script);
        let composing = composing.to_string();
        let result = press
            .call3(
                &JsValue::NULL,
                &self.one(selector),
                &key.into(),
                &composing.into(),
            )
            .unwrap();
        result.as_bool().unwrap()
    }
}

fn run(script: &str) {
    Function::new_no_args(script).call0(&JsValue::NULL).unwrap();
}

/// Holds the timers of pauses between announcements until a test lets them pass.
fn hold_pauses() {
    run("if (setTimeout.holds) return;
         const real = setTimeout;
         globalThis.pauses = [];
         globalThis.setTimeout = (act, after, ...more) => after === 1200 ? pauses.push(act) : real(act, after, ...more);
         setTimeout.holds = true;");
}

/// Loads the renderer, until a widget ends.
pub(crate) fn load_renderer() {
    draw_with(&renderer_module());
}

/// Returns a tool of the request `b`; `arguments` is the inside of a JSON object.
pub(crate) fn tool(name: &str, arguments: &str) -> String {
    let tool = [&format!("id-{name}"), name];
    tool_run(tool, ["b", &format!("e-{name}")], arguments)
}

/// Puts a text into a field as typing does.
pub(crate) fn fill(element: &Element, text: &str) {
    let script = "element.value = text; \
         element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));";
    let fill = Function::new_with_args("element, text", script);
    fill.call2(&JsValue::NULL, element, &text.into()).unwrap();
}

/// Lets effects run, which Leptos does in microtasks and tasks.
pub(crate) async fn tick() {
    for _ in 0..3 {
        leptos::task::tick().await;
        JsFuture::from(Promise::resolve(&JsValue::NULL))
            .await
            .unwrap();
    }
}

/// Waits two frames: observers have run, and so have their callbacks.
pub(crate) async fn frames() {
    tick().await;
    for _ in 0..2 {
        let frame = Promise::new(&mut |resolve, _| {
            let window = web_sys::window().unwrap();
            window.request_animation_frame(&resolve).unwrap();
        });
        JsFuture::from(frame).await.unwrap();
        tick().await;
    }
}
