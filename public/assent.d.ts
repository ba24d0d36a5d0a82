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
}

/** Events of the element: they bubble and leave shadow roots (`composed`). */
export interface AssentChatEventMap {
  /** The chat can be used; again after a change of agent, user or service. */
  "assent:ready": CustomEvent<null>;
  /** The panel of launcher mode was shown. */
  "assent:open": CustomEvent<null>;
  /** The panel of launcher mode was hidden. */
  "assent:close": CustomEvent<null>;
}

declare global {
  interface HTMLElementTagNameMap {
    "assent-chat": AssentChatElement;
  }
  interface GlobalEventHandlersEventMap extends AssentChatEventMap {}
}
