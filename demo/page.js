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
