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

/** A real page sends files to its own server. This one forgets them, and makes up what the server would call them. */
async function upload(file, { signal, progress }) {
  for (let part = 1; part <= 10; part++) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    signal.throwIfAborted();
    progress(part / 10);
  }
  const id = `demo-${file.name}`;
  return file.type.startsWith("image/") ? { imageId: id } : { fileId: id };
}

customElements.whenDefined("assent-chat").then(() => {
  for (const chat of chats()) chat.uploader = upload;
});
