// @ts-check
// What widgets keep on this device of how answers came about, and what they tell those of other tabs. The widgets send
// messages (`crates/client/src/history.rs`), and know nothing of where things are kept, nor of other tabs.

import { Device } from "./device.js";
import { items, question } from "./posted.js";
import { browser, Tabs } from "../tabs/tabs.js";

/** What belongs to one widget. Where there is one tab only, there are no tabs. @typedef {{device: Device, tabs: Tabs | null}} Widget */

/** The widgets of this page, by the object that they are known by. @type {WeakMap<object, Widget>} */
const widgets = new WeakMap();

/** What a message means, by its word. @type {Record<string, (widget: Widget, values: any[]) => unknown>} */
const MEANING = {
  options: ({ device }, [options]) => device.describe(options),
  secrets: ({ device }, [keys, names]) => device.hide(keys, names),
  begin: ({ device, tabs }, [stream, now, thread, body]) => {
    const posted = items(body);
    device.begin(stream, now, thread, question(posted));
    tabs?.begin(stream, thread, posted);
  },
  frames: ({ device, tabs }, [stream, now, frames]) => {
    device.frames(stream, now, frames);
    tabs?.frames(stream, frames);
  },
  end: ({ device, tabs }, [stream, now, how]) => {
    device.end(stream, now, how);
    tabs?.end(stream, how);
  },
  recall: ({ device }, [thread]) => device.recall(thread),
  forget: ({ device }) => device.forget(),
  copy: ({ device }) => device.copy(),
  quiet: ({ tabs }, [stream, isQuiet]) => tabs?.quiet(stream, isQuiet),
  stop: ({ tabs }, [stream]) => tabs?.stop(stream),
  took: ({ tabs }, [stream]) => tabs?.took(stream),
  ask: ({ tabs }, [thread]) => tabs?.ask(thread),
  threads: ({ tabs }, [gone]) => tabs?.threads(gone),
  close: ({ device, tabs }) => {
    device.close();
    tabs?.close();
  },
};

/** Takes one message of a widget: whose it is, what to do, and with what. Never calls back before it returns.
 * @param {[own: object, word: string, ...values: any[]]} message */
export function take([own, word, ...values]) {
  const [scope, kind, version, hear] = values;
  if (word === "open") {
    const here = browser();
    const tabs = here && new Tabs(scope, (...said) => tell(hear, said), here);
    widgets.set(own, { device: new Device(scope, kind, version, hear), tabs });
  }
  const widget = widgets.get(own);
  if (widget) MEANING[word]?.(widget, values);
}

/** @param {(said: unknown[]) => void} hear @param {unknown[]} said */
function tell(hear, said) {
  try {
    hear(said);
  } catch {
    // The widget's module has stopped, and says so itself.
  }
}
