// The least that a page can do with a stream: plain text, one paragraph for each blank line, once per animation frame.
// It follows the end of the text no more than a page does by itself.

const area = document.querySelector("#transcript");
const url = `${document.body.dataset.baseUrl}/api/assistants/threads/thread-1/messages`;
let open = null;
let pending = "";
let frame = 0;

function flush() {
  frame = 0;
  const [first, ...others] = pending.split("\n\n");
  pending = "";
  if (!open) paragraph();
  open.appendData(first);
  for (const text of others) {
    paragraph();
    open.appendData(text);
  }
}

function paragraph() {
  open = document.createTextNode("");
  area.appendChild(document.createElement("p")).append(open);
}

/** Posts, and shows the answer to its end. */
async function ask(text) {
  open = null;
  document.body.dataset.state = "streaming";
  const body = JSON.stringify({ content: [{ type: "text", text }] });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    buffer += decoder.decode(value, { stream: true });
    const frames = buffer.split("\n\n");
    buffer = frames.pop();
    for (const data of frames) {
      const event = JSON.parse(data.slice("data: ".length));
      if (event.type === "AGENT_RESPONSE_CHUNK") pending += event.eventMessage.content;
    }
    if (pending) frame ||= requestAnimationFrame(flush);
  }
  document.body.dataset.state = "complete";
}

globalThis.ask = ask;
