/** Types of the element that `assent.js` defines. Importing the file defines `<assent-chat>`; it exports nothing else. */

export interface AssentChatElement extends HTMLElement {
  /** Resolves when the chat can be used. Pending until something makes it load: opening, or coming into view. */
  readonly ready: Promise<void>;
  /**
   * Shows the panel of launcher mode. Takes the focus only while a click or key of the user is being handled.
   * Set to something else, as frameworks do with a property of an attribute's name, it sets the attribute.
   */
  get open(): () => void;
  set open(shown: boolean | string | null | undefined | (() => void));
  /** Hides the panel of launcher mode. A focus inside it returns to the launcher. */
  close(): void;
  /** Opens a closed panel, closes an open one. */
  toggle(): void;
  /**
   * Shows an empty conversation. Before the chat is loaded, this and the next four methods make it load, and wait for it.
   * They reject with an `AssentError`: at once where the chat is not in a page or could not be loaded, and when it ends.
   */
  newThread(): Promise<void>;
  /** Shows this conversation. Settles when it was read. */
  openThread(threadId: string): Promise<void>;
  /** Names this conversation. Settles when the service has the name. */
  renameThread(threadId: string, name: string): Promise<void>;
  /** Deletes this conversation, without asking. Settles when it is gone. */
  deleteThread(threadId: string): Promise<void>;
  /**
   * Sends a message in the conversation that is shown; what the person is typing stays. Settles when the answer is whole,
   * which may be after decisions of the person; rejects with the error that is shown.
   */
  send(content: string | ContentItem[]): Promise<void>;
  /** Stops listening to the answer that is being written. */
  stop(): void;
  /** What holds at this moment; a copy. */
  readonly state: AssentState;
  /**
   * Gives the token for the service, as a text or a promise of one: `initial` when none is held, `expired` after one was
   * refused. Called once for requests at the same time. The token is kept in memory alone. It goes before `api-key`.
   */
  tokenProvider: ((reason: "initial" | "expired") => string | Promise<string>) | null;
  /** Gives headers for each request. They do not take the place of those that the chat sends itself. */
  requestHeaders: (() => Record<string, string> | Promise<Record<string, string>>) | null;
  /** Takes files that go with a message or feedback. May be set at any time; without one no files can be attached. */
  uploader: Uploader | null;
  /**
   * Texts that an empty conversation offers as buttons; pressing one sends it. May be set at any time. `null` and an empty
   * list: none. A blank text is left out. Read, it is a copy of what was set.
   */
  get suggestions(): readonly string[] | null;
  set suggestions(texts: readonly string[] | null | undefined);
  /**
   * Says which addresses links in answers may lead to. Without one: `http`, `https`, `mailto` and `tel`.
   * May be set at any time. Only `true` allows; addresses that run or hold something (`javascript:`, `data:`) stay forbidden.
   */
  linkPolicy: AddressPolicy | null;
  /** Says from where images in answers are loaded without being asked for. Without one: from nowhere. */
  imagePolicy: AddressPolicy | null;
}

export interface AssentState {
  /** Not wanted yet; on its way; in use; not set up or not loaded; ended by an unexpected problem. */
  phase: "idle" | "loading" | "ready" | "failed" | "stopped";
  /** The conversation that is shown; `null` where it has no message yet, and before `ready`. */
  threadId: string | null;
  /** An answer is being written in it, or a message is on its way. */
  streaming: boolean;
  /** How many answers came while the panel was closed or the tab hidden. */
  unread: number;
  /** How many actions wait for approval, in all conversations. */
  pendingApprovals: number;
  /** Whether the browser says that it has a network. */
  online: boolean;
}

/** A part of a message. Files are named as the service knows them. */
export type ContentItem =
  | { type: "text"; text: string }
  | { type: "document"; fileId: string }
  | { type: "image"; imageId: string };

export type ErrorCode =
  /** What requests come to. */
  | "unreachable" | "unauthorized" | "forbidden" | "not-found" | "too-many-requests" | "rejected" | "service" | "unreadable"
  /** What messages, answers and decisions come to. */
  | "agent" | "not-delivered" | "interrupted" | "stopped" | "other-tab"
  /** What the page did: a listener kept a message, a provider gave nothing, a method cannot do what it was asked. */
  | "withheld" | "no-access" | "invalid"
  /** A message cannot be sent now. */
  | "busy" | "undecided"
  /** The chat is not running. */
  | "not-set-up" | "not-allowed" | "not-loaded" | "stopped-working" | "unavailable";

export interface ErrorDetail {
  code: ErrorCode;
  /** A sentence for people. */
  message: string;
  /** HTTP status, where the service answered. */
  status?: number;
  /** Whether trying again can help. */
  recoverable: boolean;
}

/** What promises of methods are rejected with. */
export interface AssentError extends Error, ErrorDetail {}

/** Judges an address that an answer names. One that throws has not allowed it. */
export type AddressPolicy = (url: URL) => boolean;

/**
 * Uploads one file, and says what the service calls it.
 * The message of an `Error` that it throws, or rejects with, is shown if it is short.
 */
export type Uploader = (file: File, context: UploadContext) => UploadedFile | Promise<UploadedFile>;

export interface UploadContext {
  /** Aborts when the file is taken away, or the chat ends. */
  signal: AbortSignal;
  /** Says how much of the file is uploaded, from 0 to 1. */
  progress(fraction: number): void;
}

/** A document or an image, by its identifier. */
export type UploadedFile = { fileId: string; imageId?: undefined } | { imageId: string; fileId?: undefined };

/** One run of a tool that waits for approval. */
export interface ToolRun {
  executionId: string;
  toolId: string;
  name: string;
  provider: string;
  category: string;
  /** Names and values in the order in which the service sent them; a name may occur twice. */
  arguments: [name: string, value: string][];
}

export interface ApprovalRequest {
  threadId: string;
  batchId: string;
  /** The runs that were not asked for before; they are answered together with the others of their batch. */
  tools: ToolRun[];
}

/** The answer to a whole batch. */
export interface ApprovalAnswer {
  threadId: string;
  batchId: string;
  /** Every run of the batch. All are aborted, or none is. */
  decisions: { executionId: string; name: string; decision: "APPROVED" | "DENIED" | "ABORTED_WITH_FEEDBACK" }[];
  /** The words that go with an abort. */
  feedback: string | null;
}

/** Events of the element: they bubble and leave shadow roots (`composed`). */
export interface AssentChatEventMap {
  /** The chat can be used; again after a change of agent, user or service. */
  "assent:ready": CustomEvent<null>;
  /** The panel of launcher mode was shown. */
  "assent:open": CustomEvent<null>;
  /** The panel of launcher mode was hidden. */
  "assent:close": CustomEvent<null>;
  /** Another conversation is shown, or the one that is shown got its first message. */
  "assent:thread-change": CustomEvent<{ threadId: string | null }>;
  /**
   * A message is about to be sent; again when it is tried again. `preventDefault()` keeps it from being sent, and the
   * person can try again; what a listener puts into `detail.content` is sent instead. All before the listener returns.
   */
  "assent:before-send": CustomEvent<{ threadId: string | null; content: ContentItem[] | string }>;
  /** The service has a message. */
  "assent:message-sent": CustomEvent<{ threadId: string; content: ContentItem[] }>;
  /** An event of the service, as it came. */
  "assent:event": CustomEvent<{ threadId: string; event: Record<string, unknown> }>;
  /** An answer is whole; `text` is its Markdown. */
  "assent:answer-complete": CustomEvent<{ threadId: string; text: string }>;
  /** Something failed, and that is shown. */
  "assent:error": CustomEvent<ErrorDetail>;
  /** So many answers came while the panel was closed or the tab hidden; 0 when they can be seen. */
  "assent:unread": CustomEvent<{ count: number }>;
  /** The agent asks for approval. */
  "assent:approval-requested": CustomEvent<ApprovalRequest>;
  /**
   * An answer is about to be posted. `preventDefault()` keeps it from being posted; the person can decide again.
   * Call it before the listener returns, not after an `await`. A listener that throws forbids, too.
   */
  "assent:before-approval": CustomEvent<ApprovalAnswer>;
  /** The service accepted an answer. */
  "assent:approval-answered": CustomEvent<ApprovalAnswer>;
}

declare global {
  interface HTMLElementTagNameMap {
    "assent-chat": AssentChatElement;
  }
  interface GlobalEventHandlersEventMap extends AssentChatEventMap {}
}
