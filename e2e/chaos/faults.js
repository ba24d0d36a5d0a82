// What can go wrong between page and service, and how often.
// A fault either keeps a request from the service or spoils what comes back. Only the first kind may carry a status of 4xx:
// a service that takes a message and says 400 lies, and no client can see through that.

/** @typedef {import("./random.js").Random} Random */
/** @typedef {"create" | "list" | "rename" | "delete" | "read" | "post" | "preflight"} RequestKind */
/** @typedef {{ status: number, type: string, body: string | Buffer, cors: boolean, headers: Record<string, string> }} Foreign */
/**
 * @typedef {object} Fault
 * @property {string} kind
 * @property {boolean} passes whether the service gets the request
 * @property {number} [at] bytes of the response before it happens
 * @property {number} [wait] milliseconds
 * @property {Foreign} [foreign] what is answered instead
 */

const PAGE = "<!doctype html><html><head><title>Gateway</title></head><body><h1>nginx</h1></body></html>";
const LARGE = Buffer.alloc(10_000_000, "<p>not the service</p>\n");
/** Longer than any wait here is what the widget takes to give a message up. */
const MAX_DELAY = 200;

/** @type {Record<RequestKind, string[]>} */
const KINDS = {
  preflight: ["refuse", "answer-instead"],
  create: ["refuse", "answer-instead", "lose", "answer-after", "delay", "cut", "truncate", "corrupt", "trickle"],
  list: ["refuse", "answer-instead", "lose", "delay", "cut", "truncate", "corrupt", "stall", "trickle"],
  read: ["refuse", "answer-instead", "lose", "delay", "cut", "truncate", "corrupt", "stall", "trickle"],
  rename: ["refuse", "answer-instead", "lose", "answer-after", "delay", "cut", "corrupt"],
  delete: ["refuse", "answer-instead", "lose", "answer-after", "delay"],
  post: ["refuse", "answer-instead", "lose", "answer-after", "delay", "cut", "cut", "cut", "truncate", "corrupt", "stall", "trickle", "duplicate", "duplicate"],
};

/** The fault of one request, if it has one. @param {RequestKind} kind @param {Random} random @param {number} chance @returns {Fault | null} */
export function fault(kind, random, chance) {
  // One preflight stands before many requests.
  if (!random.chance(kind === "preflight" ? chance / 4 : chance)) return null;
  const name = random.pick(KINDS[kind]);
  const at = random.chance(0.3) ? random.below(40) : random.below(2500);
  const wait = random.below(MAX_DELAY);
  switch (name) {
    case "refuse":
      return { kind: name, passes: false };
    case "answer-instead":
      return { kind: name, passes: false, foreign: foreign(random, true) };
    case "answer-after":
      return { kind: name, passes: true, foreign: foreign(random, false) };
    default:
      return { kind: name, passes: true, at, wait };
  }
}

/** @param {Random} random @param {boolean} refuses @returns {Foreign} */
function foreign(random, refuses) {
  const html = { type: "text/html", body: PAGE };
  const bodies = [
    html,
    { type: "application/json", body: '{"message":"Not now."}' },
    { type: "application/json", body: '{"message": "half' },
    { type: "text/plain", body: "" },
    { type: "application/octet-stream", body: Buffer.from([0xff, 0xfe, 0, 0x80]) },
  ];
  const status = random.pick(refuses ? [200, 400, 403, 404, 429, 500, 502, 503, 504] : [200, 500, 502, 503, 504]);
  const body = random.chance(0.03) ? { type: "text/html", body: LARGE } : random.pick(bodies);
  /** @type {Record<string, string>} */
  const headers = status === 429 || status === 503 ? { "retry-after": "1" } : {};
  return { status, ...body, cors: random.chance(0.75), headers };
}
