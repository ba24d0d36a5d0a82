// Tells templates about <assent-chat>: attributes, properties and events.

import type { AssentChatElement, AssentChatEventMap } from "assent-chat";
import type { HTMLAttributes, PublicProps } from "vue";

type ChatAttributes = {
  agentId: string;
  mode?: "inline" | "launcher" | "fullscreen";
  theme?: "auto" | "light" | "dark";
} & { [name in "baseUrl" | "userId" | "threadId" | "heading" | "placeholder" | "greeting"]?: string };
type ChatProperties = Partial<Pick<AssentChatElement, "uploader" | "linkPolicy" | "imagePolicy" | "strings" | "suggestions">>;
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name;
type ChatEvents = { [name in keyof AssentChatEventMap as `on${Capitalize<Camel<name>>}`]?: (event: AssentChatEventMap[name]) => void };

declare module "vue" {
  interface GlobalComponents {
    "assent-chat": new () => AssentChatElement & { $props: PublicProps & HTMLAttributes & ChatAttributes & ChatProperties & ChatEvents };
  }
}
