// What the chat of the playground is answered on a site that has no service.

import { serve } from "./replay/service.js";

const TEXTS = [
  "This site has no service: a few prepared answers stand in for it. Set `base-url` to talk to yours.",
  "1. Pick another `theme` or `mode`.\n2. Set `heading`, `placeholder` and `greeting`.\n3. Take the snippet with you.",
  "`cargo xtask dev` starts the service with an agent that asks before it acts.",
];

/** One event of an answer, as the service sends it. */
const event = (type, number, content) =>
  JSON.stringify({
    type,
    eventId: `prepared/${number}`,
    threadId: "replay",
    requestId: "prepared",
    eventMessage: { agent: null, content, timestamp: new Date(0).toISOString() },
  });

const answers = TEXTS.map((text, number) => ({
  question: null,
  began: 0,
  ended: 0,
  how: "closed",
  events: [
    [0, event("AGENT_RESPONSE_CHUNK", `${number}-1`, text)],
    [0, event("AGENT_RESPONSE_COMPLETE", `${number}-2`, text)],
  ],
}));

serve("/api/", answers, async () => {});
