// The least that a page can do with a conversation: all messages as plain text, one paragraph for each blank line.

const area = document.querySelector("#transcript");

/** Fetches and shows a conversation; done behind the frame in which its end is on the screen. */
globalThis.show = async (thread) => {
  const start = performance.now();
  const response = await fetch(`${document.body.dataset.baseUrl}/api/assistants/threads/${thread}/messages`);
  const nodes = (await response.json()).map(({ content }) => {
    const message = document.createElement("article");
    for (const text of content.split("\n\n")) message.appendChild(document.createElement("p")).textContent = text;
    return message;
  });
  area.replaceChildren(...nodes);
  area.scrollTop = area.scrollHeight;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - start;
};
