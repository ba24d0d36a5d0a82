// The table of contents is open where there is room for it beside the text.

const contents = document.querySelector("#contents");
const wide = matchMedia("(min-width: 801px)");
const follow = () => void (contents.open = wide.matches);
wide.addEventListener("change", follow);
follow();
