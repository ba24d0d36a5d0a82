// @ts-check
// Assent's loader: defines <assent-chat>, draws launcher and frame at once, and fetches the application on intent.
// Inside the panel is the application; everything around it is here. The modules of this folder are bundled into one file.

import { AssentChatElement } from "./element.js";
import { launchFromTags } from "./launch.js";

if (globalThis.customElements) {
  if (!customElements.get("assent-chat")) customElements.define("assent-chat", AssentChatElement);
  const launch = () => launchFromTags(import.meta.url);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", launch);
  else launch();
}
