// The demo page's own behaviour: what any host page could do with the element.

const chats = () => document.querySelectorAll("assent-chat");
const theme = document.querySelector("#theme");
const ask = document.querySelector("#ask");

function showTheme() {
  document.documentElement.dataset.theme = theme.value;
  for (const chat of chats()) chat.setAttribute("theme", theme.value);
}

theme.addEventListener("change", showTheme);
ask?.addEventListener("click", () => chats()[0]?.open());

/** This page has no sign-in: the chat made up a user for this browser. */
const user = (chat) => chat.getAttribute("user-id") ?? localStorage.getItem("assent:user-id") ?? "";

/**
 * Sends files to the demo service. A real page sends them to its own server, which knows the key
 * and the user.
 */
const uploader = (chat) => (file, { signal, progress }) =>
  new Promise((resolve, reject) => {
    // The one way in which all browsers tell how much of a body is sent.
    const request = new XMLHttpRequest();
    request.open("POST", `/api/assistants/uploads?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader("Authorization", `Bearer ${chat.getAttribute("api-key")}`);
    request.setRequestHeader("X-Service-User-Id", user(chat));
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => progress(loaded / total);
    request.onerror = () => reject(new Error("The file did not reach the server."));
    request.onload = () =>
      request.status === 201 ? resolve(request.response) : reject(new Error(request.response?.message ?? "The file was not taken."));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });

/** Something to begin with, by agent: each knows what to do then. */
const SUGGESTIONS = {
  desk: [
    "Which journeys are booked?",
    "Write a packing list for the night train into packing.md",
    "Move conditions.md into a folder named rules",
    "What does this chat store in the browser?",
  ],
  demo: ["What can you do?", "Approve three tools", "Look up the delivery times"],
  travel: ["Plan a trip", "Book it", "Cancel my trip"],
};

/**
 * Lets the chat's person choose who answers; the choice is in the address.
 * @param {Element} chat
 */
async function offerAgents(chat) {
  const { agents, note } = await fetch("/demo/agents.json").then((response) => response.json());
  const choice = document.querySelector("#agent");
  choice.append(...agents.map(({ id, name }) => new Option(name, id)));
  const asked = new URL(location.href).searchParams.get("agent");
  if (agents.some(({ id }) => id === asked)) choice.value = asked;
  document.querySelector("#agent-note").textContent = note;
  const choose = () => {
    const agent = agents[choice.selectedIndex];
    document.querySelector("#agent-about").textContent = agent.about;
    if (chat.getAttribute("agent-id") !== agent.id) chat.setAttribute("agent-id", agent.id);
    chat.suggestions = SUGGESTIONS[agent.id];
  };
  choice.addEventListener("change", () => {
    choose();
    const address = new URL(location.href);
    address.searchParams.set("agent", choice.value);
    history.replaceState(null, "", address);
  });
  choose();
  document.querySelector("#who").hidden = false;
}

customElements.whenDefined("assent-chat").then(() => {
  for (const chat of chats()) {
    chat.uploader = uploader(chat);
    chat.suggestions = SUGGESTIONS[chat.getAttribute("agent-id")];
  }
  if (document.querySelector("#who")) offerAgents(chats()[0]);
});
