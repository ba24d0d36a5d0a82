// @ts-check
// Images of the service. They are shown here and not in Rust because few conversations have any: this is smaller.

const RASTER = /^image\/(png|jpeg|gif|webp)$/;

/**
 * Shows an image in the place of its description, once that is near the screen: it may be large. Returns what ends it.
 * @param {HTMLElement} frame the element with the description @param {string} id the image's
 * @param {(id: string) => Promise<Blob>} read @param {string} failed the sentence for an image that cannot be shown
 */
export const showImage = (frame, id, read, failed) => {
  const description = frame.textContent ?? "";
  const image = document.createElement("img");
  let ended = false;
  const fail = () => {
    frame.textContent = `${description}\n${failed}`;
  };
  const load = async () => {
    const blob = await read(id);
    if (!RASTER.test(blob.type)) throw blob.type;
    if (ended) return;
    image.alt = description;
    image.onerror = fail;
    image.src = URL.createObjectURL(blob);
    frame.replaceChildren(image);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      load().catch(fail);
    },
    { rootMargin: "200px" },
  );
  observer.observe(frame);
  return () => {
    ended = true;
    observer.disconnect();
    URL.revokeObjectURL(image.src);
  };
};
