// What a page may do with its chat: set functions, hear what was decided, take it away and bring it back.

const chat = document.querySelector("assent-chat");
const decisions = document.querySelector("#decisions");

// A pretended one: send the file to where your service reads it from, and return what it is called there.
chat.uploader = async (file) => ({ fileId: `upload-of-${file.name}` });

chat.addEventListener("assent:approval-answered", ({ detail }) => {
  for (const { name, decision } of detail.decisions) {
    const item = document.createElement("li");
    item.textContent = `${name}: ${decision}`;
    decisions.append(item);
  }
});

document.querySelector("#offer").addEventListener("change", ({ target }) => {
  if (target.checked) document.body.append(chat);
  else chat.remove();
});
