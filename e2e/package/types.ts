// What pages write, as TypeScript sees it. Each expected error fails the check when it is none.

import "assent-chat";
import type { AddressPolicy, ApprovalAnswer, ApprovalRequest, AssentChatElement, AssentChatEventMap, UploadedFile, Uploader } from "assent-chat";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Takes `true` alone. */
const same = <A, B>(..._: Same<A, B> extends true ? [] : [never]) => {};

// The element is known by its name.
const chat = document.createElement("assent-chat");
same<typeof chat, AssentChatElement>();
same<HTMLElementTagNameMap["assent-chat"], AssentChatElement>();
const found = document.querySelector("assent-chat");
same<typeof found, AssentChatElement | null>();
// @ts-expect-error: it may not be there.
found.open();
const all = document.querySelectorAll("assent-chat");
same<typeof all, NodeListOf<AssentChatElement>>();
same<typeof chat extends HTMLElement ? true : false, true>();

// Methods and properties.
chat.open();
chat.close();
chat.toggle();
same<typeof chat.ready, Promise<void>>();
// @ts-expect-error: it is read only.
chat.ready = Promise.resolve();
// @ts-expect-error: it takes nothing.
chat.open(true);

const upload: Uploader = async (file, { signal, progress }) => {
  same<typeof file, File>();
  same<typeof signal, AbortSignal>();
  progress(0.5);
  // @ts-expect-error: a fraction is a number.
  progress("50 %");
  return { fileId: file.name };
};
chat.uploader = upload;
chat.uploader = (file) => ({ imageId: file.name });
chat.uploader = null;
// @ts-expect-error: the service would not know what it is.
chat.uploader = async () => ({ id: "1" });
// @ts-expect-error: one file is one thing.
const both: UploadedFile = { fileId: "1", imageId: "1" };

const secure: AddressPolicy = (url) => url.protocol === "https:";
chat.linkPolicy = secure;
chat.imagePolicy = (url) => url.hostname.endsWith(".example");
chat.imagePolicy = null;
// @ts-expect-error: a policy decides at once.
chat.linkPolicy = async () => true;

chat.suggestions = ["Where is my order?"];
chat.suggestions = ["a", "b"] as const;
chat.suggestions = null;
chat.suggestions = undefined;
same<typeof chat.suggestions, readonly string[] | null>();
// @ts-expect-error: what is read is a copy that cannot be changed.
chat.suggestions?.push("more");
// @ts-expect-error: a suggestion is a text.
chat.suggestions = [1];

chat.strings = { send: "Senden", "newMessages.few": "…", "event.NOTIFICATION_AGENT_THINKING_STARTED": "Denkt nach" };
chat.strings = null;
// @ts-expect-error: there is no such key.
chat.strings = { sned: "Senden" };
// @ts-expect-error: what counts has forms.
chat.strings = { newMessages: "…" };
// @ts-expect-error: there is no such form.
chat.strings = { "newMessages.some": "…" };

// Events, on the element and where they bubble to.
chat.addEventListener("assent:ready", (event) => same<typeof event.detail, null>());
chat.addEventListener("assent:approval-requested", (event) => {
  same<typeof event.detail, ApprovalRequest>();
  const [name, value] = event.detail.tools[0]!.arguments[0]!;
  same<[typeof name, typeof value], [string, string]>();
});
document.addEventListener("assent:before-approval", (event) => {
  same<typeof event.detail, ApprovalAnswer>();
  if (event.detail.decisions.some(({ decision }) => decision === "ABORTED_WITH_FEEDBACK")) event.preventDefault();
  // @ts-expect-error: there is no such decision.
  event.detail.decisions.some(({ decision }) => decision === "MAYBE");
});
window.addEventListener("assent:close", ({ detail }) => same<typeof detail, null>());
same<AssentChatEventMap["assent:open"], CustomEvent<null>>();
// @ts-expect-error: an event is spelled in full.
const misspelt: keyof AssentChatEventMap = "assent:opened";

export { both, misspelt };
