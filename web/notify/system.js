// @ts-check
// Notifications of the system: one for each thread in which decisions wait.

/** The notifications on the screen or in the system's list, by their tags.
 * @type {Map<string, {notification: Notification, chat: Element}>} */
const shown = new Map();

/** What the browser says of the permission; "denied" where it has no notifications, or not for a
 * page without HTTPS or a frame of another origin. */
export const permission = () =>
  (globalThis.isSecureContext && globalThis.Notification?.permission) || "denied";

/** False where pages cannot make notifications, undefined while that is not known.
 * @type {boolean | undefined} */
let canMake;

/** Whether the person can be asked for the permission. */
export function canAsk() {
  if (permission() !== "default") return false;
  try {
    // Nothing is shown without the permission.
    canMake ??= !!new Notification("");
  } catch {
    // Chromium on Android has the class for workers alone.
    canMake = false;
  }
  return canMake;
}

/** Shows a notification, or another text in the one with the same tag; `click` is called when it is
 * clicked.
 * @param {Element} chat @param {string} tag
 * @param {string} title @param {NotificationOptions} options @param {() => void} click */
export function show(chat, tag, title, options, click) {
  const before = shown.get(tag);
  if (before?.notification.body === options.body && before?.notification.title === title) return;
  try {
    const notification = new Notification(title, { ...options, tag });
    notification.onclick = () => {
      notification.close();
      click();
    };
    notification.onclose = () => {
      if (shown.get(tag)?.notification === notification) shown.delete(tag);
    };
    shown.set(tag, { notification, chat });
  } catch {
    // Chromium on Android.
  }
}

/** Closes the notifications of a chat whose tags are not among these.
 * @param {Element} chat @param {string[]} tags */
export function keep(chat, tags) {
  for (const [tag, it] of [...shown]) {
    if (it.chat !== chat || tags.includes(tag)) continue;
    shown.delete(tag);
    it.notification.close();
  }
}
