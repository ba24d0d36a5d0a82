// Tells templates about <assent-chat>: attributes, properties, and events as `onassent:…`.

import type { AssentChatElement, AssentChatEventMap } from "assent-chat";
import type { HTMLAttributes } from "svelte/elements";

type ChatAttributes = {
  "agent-id": string;
  mode?: "inline" | "launcher" | "fullscreen";
  theme?: "auto" | "light" | "dark";
} & { [name in "base-url" | "user-id" | "thread-id" | "heading" | "placeholder" | "greeting"]?: string };
type ChatProperties = Partial<Pick<AssentChatElement, "uploader" | "linkPolicy" | "imagePolicy" | "strings" | "suggestions">>;
type ChatEvents = { [name in keyof AssentChatEventMap as `on${name}`]?: (event: AssentChatEventMap[name]) => void };

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "assent-chat": HTMLAttributes<AssentChatElement> & ChatAttributes & ChatProperties & ChatEvents;
  }
}
