// @ts-check
// The loader: defines <assent-chat>, draws launcher and frame at once, and fetches the widget when
// the user is about to need it. The widget draws inside the panel, the loader everything around it.
// The modules of this folder are bundled into one file.

import { AssentChatElement } from "./element/element.js";
import { launchFromTags } from "./launch.js";

if (globalThis.customElements) {
  if (!customElements.get("assent-chat")) customElements.define("assent-chat", AssentChatElement);
  const launch = () => launchFromTags(import.meta.url);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", launch);
  else launch();
}
