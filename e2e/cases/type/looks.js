// What a page looks like, as far as it can be counted: sizes of type, targets, words that are broken, and contrast.

/** All visible elements of the chat that match, as `measure` sees them. It runs in the page. */
const each = (chat, selector, measure) =>
  chat.element.evaluate(
    (element, [selector, measure]) => {
      const isSeen = (it) => it.checkVisibility({ visibilityProperty: true }) && !it.closest(".visually-hidden, .waiting, [inert]");
      const found = [...element.shadowRoot.querySelectorAll(selector)].filter(isSeen);
      const name = (it) => `${it.localName}.${it.className.baseVal ?? it.className} "${it.textContent.trim().slice(0, 30)}"`;
      // A function cannot be passed to a page.
      return found.flatMap((it) => new Function("it", "name", `return (${measure})(it, name)`)(it, name));
    },
    [selector, measure.toString()],
  );

/** Elements whose text has another size than these, each with its size. */
export const otherSizes = async (chat, sizes) => {
  const all = await each(chat, "*", (it, name) => {
    const isText = it.matches("input, textarea") || [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    return isText && !it.closest("math") ? [[Math.round(parseFloat(getComputedStyle(it).fontSize) * 10) / 10, name(it), it.matches("input, textarea")]] : [];
  });
  // A box whose letters are smaller makes a phone zoom.
  return [...new Set(all.filter(([size, , isBox]) => !sizes.includes(size) && !(isBox && size === 16)).map(([size, name]) => `${size}: ${name}`))];
};

/** Controls that are smaller than this, in pixels. Links stand in text. */
export const smallTargets = async (chat, least) => {
  const all = await each(chat, "button, textarea, summary, input:not([type=radio], [type=checkbox], [hidden]), label:has(input), [role=menuitem]", (it, name) => {
    const { width, height } = it.getBoundingClientRect();
    return [[Math.min(width, height), `${name(it)} ${width} × ${height}`]];
  });
  return all.filter(([size]) => size < least - 0.5).map(([, name]) => name);
};

/** Words of letters alone that are broken although they fit a line. */
export const brokenWords = (chat) =>
  each(chat, "*", (it) => {
    const texts = [...it.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    let box = it;
    while (box.parentElement && getComputedStyle(box).display.startsWith("inline")) box = box.parentElement;
    const room = box.getBoundingClientRect().width;
    return texts.flatMap((node) =>
      [...node.data.matchAll(/(?<=^|\s)[\p{L}\p{N}]+(?=$|[\s.,…!?:])/gu)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = [...range.getClientRects()];
        const width = lines.reduce((sum, line) => sum + line.width, 0);
        return new Set(lines.map((line) => Math.round(line.top))).size > 1 && width < room ? [`${word} in ${it.className}`] : [];
      }),
    );
  });

/** Contrast of an element's text with what is behind it. */
export const contrast = (locator) =>
  locator.evaluate((element) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const paint = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); };
    const light = () => {
      const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((it) => (it / 255 <= 0.04045 ? it / 255 / 12.92 : ((it / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const around = [];
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) {
      around.unshift(getComputedStyle(at).backgroundColor);
      opacity *= Number(getComputedStyle(at).opacity);
    }
    around.forEach(paint);
    const behind = light();
    canvas.globalAlpha = opacity;
    paint(getComputedStyle(element).color);
    const text = light();
    return (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05);
  });
