// @ts-check
// A service that is a log: it stands in the place of `fetch`, and answers each post with what came
// of the next one in the log.

/**
 * @typedef {object} Answer
 * @property {string | null} question
 * @property {number} began
 * @property {number} ended
 * @property {string} how
 * @property {[at: number, text: string][]} events
 */

const THREAD = { id: "replay", threadName: "Replay", agentId: "replay", agentName: "", agentHandle: "", lastMessageTime: "", sessionType: "LIVE" };

/** @param {string} text @returns {Answer[]} the answers of a log; throws where it is none */
export function answersOf(text) {
  const { log, format, answers } = JSON.parse(text);
  const whole = Array.isArray(answers) && answers.every((it) => Array.isArray(it?.events) && it.events.every((/** @type {any} */ event) => typeof event?.[1] === "string"));
  if (log !== "assent" || format !== 1 || !whole || !answers.length) throw new Error("no log");
  return answers;
}

/** @param {unknown} value */
const json = (value) => new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });

/** Answers requests to `base` until a page goes on to another log.
 * @param {string} base
 * @param {Answer[]} answers
 * @param {(after: number) => Promise<void>} pause waits for the next event, which came
 * so long after the one before */
export function serve(base, answers, pause) {
  const rest = [...answers];
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(base)) return real(input, init);
    if (request.method === "POST" && pathname.endsWith("/messages")) return new Response(stream(rest.shift(), pause), { headers: { "content-type": "text/event-stream" } });
    if (request.method === "POST" || request.method === "PUT") return json(THREAD);
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    return json([]);
  };
  return () => void (globalThis.fetch = real);
}

/**
 * What came of one post, as bytes.
 * @param {Answer | undefined} answer
 * @param {(after: number) => Promise<void>} pause
 */
function stream(answer, pause) {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      let last = answer?.began ?? 0;
      for (const [at, text] of answer?.events ?? []) {
        await pause(at - last);
        last = at;
        const lines = text.split("\n").map((line) => `data: ${line}\n`);
        controller.enqueue(encoder.encode(`${lines.join("")}\n`));
      }
      await pause(answer ? answer.ended - last : 0);
      if (answer?.how === "closed") controller.close();
      else controller.error(new Error("the connection ended here"));
    },
  });
}
