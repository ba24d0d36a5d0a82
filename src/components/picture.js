// @ts-check
// Images of the service, and previews of the user's own. They are shown here and not in Rust because few conversations have any: this is smaller.

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

/**
 * Draws the middle of a picture. It has no address, which the page's policy could refuse: what cannot be drawn is left out.
 * @param {HTMLElement} frame @param {File} file
 */
export const showPreview = async (frame, file) => {
  if (!RASTER.test(file.type)) return;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return;
  const canvas = document.createElement("canvas");
  const { width, height } = picture, side = Math.min(width, height);
  canvas.width = canvas.height = 96;
  canvas.getContext("2d")?.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, 96, 96);
  picture.close();
  frame.replaceChildren(canvas);
};
