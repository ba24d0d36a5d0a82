// @ts-check
// The entry of the history module: gives the messages of widgets to their recordings, and to the
// other tabs.

import { browser, Tabs } from "../tabs/tabs.js";
import { postEverything } from "./clearing.js";
import { deleteEverything } from "./everything.js";
import { History } from "./history.js";
import { items, question } from "./posted.js";

/** @import { Emit, Message, Messages } from "./messages.js" */

/** The parts of one widget; no tabs where the browser has no channels or no locks.
 * @typedef {{history: History, tabs: Tabs | null}} Widget */

/** The widgets of this page, by the object that identifies each. @type {Map<object, Widget>} */
const widgets = new Map();

/** The last writes of widgets that were closed. @type {Set<Promise<void>>} */
const closing = new Set();

/** The handlers of messages.
 * @type {{[Name in Exclude<keyof Messages, "open">]:
 *   (widget: Widget, ...values: Messages[Name]) => unknown}} */
const HANDLERS = {
  options: ({ history }, options) => history.setOptions(options),
  secrets: ({ history }, keys, names) => history.addSecrets(keys, names),
  begin: ({ history, tabs }, stream, at, thread, body, isLogged) => {
    const posted = items(body);
    history.begin(stream, at, thread, question(posted));
    tabs?.begin(stream, thread, posted, isLogged);
  },
  frames: ({ history, tabs }, stream, at, frames) => {
    history.frames(stream, at, frames);
    tabs?.frames(stream, frames);
  },
  end: ({ history, tabs }, stream, at, end) => {
    history.end(stream, at, end);
    tabs?.end(stream, end);
  },
  recall: ({ history }, thread) => history.recall(thread),
  forget: ({ history }) => history.forget(),
  copyLog: ({ history }) => history.copyLog(),
  stalled: ({ tabs }, stream, isStalled) => tabs?.stalled(stream, isStalled),
  stop: ({ tabs }, stream) => tabs?.stop(stream),
  following: ({ tabs }, stream) => tabs?.following(stream),
  findStreams: ({ tabs }, thread) => tabs?.findStreams(thread),
  threadsChanged: ({ tabs }, deleted) => tabs?.threadsChanged(deleted),
  close: ({ history, tabs }) => {
    const closed = history.close();
    closing.add(closed);
    void closed.finally(() => closing.delete(closed));
    tabs?.close();
  },
};

/** Makes the parts of a widget. Its listener gets nothing any more once it is closed.
 * @param {object} id @param {Messages["open"]} values @returns {Widget} */
function open(id, [scope, kind, version, listener]) {
  const emit = /** @type {Emit} */ ((/** @type {any} */ ...event) => {
    try {
      if (widgets.has(id)) listener(event);
    } catch {
      // The widget's module has stopped, and reports that itself.
    }
  });
  const here = browser();
  const history = new History(scope, kind, version, emit, () => void forgetPage().catch(() => {}));
  return { history, tabs: here && new Tabs(scope, emit, here) };
}

/** Handles one message of the widget that `id` identifies. Emits no event before it returns.
 * @param {object} id @param {Message} message */
export function take(id, [name, ...values]) {
  if (name === "open") {
    widgets.set(id, open(id, /** @type {Messages["open"]} */ (values)));
    return;
  }
  const widget = widgets.get(id);
  const handle = /** @type {((widget: Widget, ...values: unknown[]) => unknown) | undefined} */ (HANDLERS[name]);
  if (widget) handle?.(widget, ...values);
  if (name === "close") widgets.delete(id);
}

/** The deletion of everything that is under way. @type {Promise<void> | null} */
let forgetting = null;

/** Deletes everything that this page has or can reach, once for all of its widgets. */
function forgetPage() {
  const deleted = async () => {
    await Promise.all([...closing, ...[...widgets.values()].map(({ history }) => history.forgetEverything())]);
    await deleteEverything();
  };
  return (forgetting ??= deleted().finally(() => { forgetting = null; }));
}

/** Deletes everything that widgets stored in this browser, of any service, agent and user, here and
 * in the other tabs. Rejects if that fails. */
export async function forgetEverything() {
  postEverything();
  // One that another page asked for may be past what came since.
  await forgetting?.catch(() => {});
  await forgetPage();
}
