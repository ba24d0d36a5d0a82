/**
 * Messages of a widget to this module, and events in return, by name. At the border each is an
 * array of its name and its values; `crates/client/src/history/messages.rs` is the widget's side.
 */

import type { Item } from "./posted.js";

/** `local` is a database of the browser, `session` the storage of the tab, `none` memory. */
export type StorageKind = "local" | "session" | "none";

/** Messages of a widget. `stream` is the widget's number of a stream, `at` is in milliseconds since
 * 1970. */
export interface Messages {
  /** The first one. Keys of stored values begin with `scope`. */
  open: [scope: string, kind: StorageKind, version: string, listener: Listener];
  /** Options that the page set, by the names of attributes, for the diagnostic log. */
  options: [options: Record<string, unknown>];
  /** Keys and tokens, which must not be stored, and values that identify a user. */
  secrets: [keys: string[], names: string[]];
  /** A post is about to be sent. `isLogged`: other tabs get its events from the service. */
  begin: [stream: number, at: number, thread: string, body: string, isLogged: boolean];
  /** Frames that came together, with separators. */
  frames: [stream: number, at: number, frames: string];
  end: [stream: number, at: number, end: string];
  /** Asks for the recordings of a thread. */
  recall: [thread: string];
  /** Asks to delete all recordings. */
  forget: [];
  /** Asks to copy the diagnostic log. */
  copyLog: [];
  /** A stream stalled, or goes on. */
  stalled: [stream: number, isStalled: boolean];
  /** The user stopped a stream, which may belong to another tab. */
  stop: [stream: number];
  /** The widget mirrors a stream of another tab from now on. */
  following: [stream: number];
  /** Asks the other tabs for their streams of a thread. */
  findStreams: [thread: string];
  /** The list of threads changed; `deleted` is the one that is gone. */
  threadsChanged: [deleted?: string];
  /** The last one. */
  close: [];
}

/** Events for a widget. */
export interface Events {
  /** The recordings of a thread, oldest first. */
  recalled: [thread: string, recordings: RecordedStream[]];
  forgotten: [];
  /** Recordings were deleted because another tab, or another widget of this page, asked; or with
   * them everything, of any service, agent and user. */
  cleared: [everything: boolean];
  logCopied: [isCopied: boolean];
  /** Another tab has a stream. The widget sends `following` before the listener returns, or not. */
  follow: [stream: number, thread: string, items: Item[]];
  /** Frames of a stream of another tab, with separators. */
  frames: [stream: number, frames: string];
  stalled: [stream: number, isStalled: boolean];
  /** Another tab stopped a stream of this one. */
  stop: [stream: number];
  end: [stream: number, end: string];
  threadsChanged: [deleted?: string];
  /** Another tab wrote in a thread, whose answer the service gives to every tab. */
  messagesChanged: [thread: string];
}

/** A recording: `frames` has times and frames in turn, `end` is "closed", "lost" or "stopped". */
export type RecordedStream = [
  question: string | null, frames: (number | string)[], ended: number, end: string,
];

type Named<Table extends Record<keyof Table, unknown[]>> = {
  [Name in keyof Table]: [name: Name, ...values: Table[Name]];
}[keyof Table];

export type Message = Named<Messages>;
export type Listener = (event: Named<Events>) => void;
export type Emit = <Name extends keyof Events>(name: Name, ...values: Events[Name]) => void;
