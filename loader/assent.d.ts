/** Types of the element that `assent.js` defines. Importing the file defines `<assent-chat>`; it exports nothing else. */

export interface AssentChatElement extends HTMLElement {
  /** Resolves when the chat can be used. Pending until something makes it load: opening, or coming into view. */
  readonly ready: Promise<void>;
  /** Shows the panel of launcher mode. Takes the focus only while a click or key of the user is being handled. */
  open(): void;
  /** Hides the panel of launcher mode. A focus inside it returns to the launcher. */
  close(): void;
  /** Opens a closed panel, closes an open one. */
  toggle(): void;
  /** Takes files that go with feedback. May be set at any time; without one no files can be attached. */
  uploader: Uploader | null;
  /**
   * Says which addresses links in answers may lead to. Without one: `http`, `https`, `mailto` and `tel`.
   * May be set at any time. Only `true` allows; addresses that run or hold something (`javascript:`, `data:`) stay forbidden.
   */
  linkPolicy: AddressPolicy | null;
  /** Says from where images in answers are loaded without being asked for. Without one: from nowhere. */
  imagePolicy: AddressPolicy | null;
}

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
