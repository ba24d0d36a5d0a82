// @ts-check
// The sound of a new decision: two notes of the browser's own oscillators.
//
// Browsers play nothing before the first gesture of the person in the page, and WebKit lets a sound
// begin later only if its context was made in a gesture.

/** Time in milliseconds after a sound in which there is no other one, in any tab. */
const PAUSE = 5_000;
/** Age in milliseconds at which a sound would come too late to be understood. */
const MAX_DELAY = 1_000;
/** The name of the lock that the tab has which played the last sound. */
const LOCK = "assent:sound";

/** The notes: when each begins in seconds, and its frequency in hertz. */
const NOTES = [[0, 660], [0.14, 880]];
const LENGTH = 0.5;
/** As loud as the sounds of a system, not as music. */
const VOLUME = 0.12;

/** @type {AudioContext | null} */
let context = null;
let hadGesture = false;
/** When the last sound of this page began. */
let last = -Infinity;
/** Gives the lock back. */
let release = () => {};
let hasLock = false;

const GESTURES = ["click", "keydown", "touchend"];

/** Notes the first gesture from now on. */
export function awaitGesture() {
  for (const type of GESTURES) addEventListener(type, noteGesture, { capture: true });
}

function noteGesture(/** @type {Event} */ { isTrusted }) {
  if (!isTrusted) return;
  for (const type of GESTURES) removeEventListener(type, noteGesture, { capture: true });
  hadGesture = true;
  rest(prepare());
}

/** Makes the context, if there was a gesture. */
function prepare() {
  const isAllowed = hadGesture || navigator.userActivation?.hasBeenActive;
  try {
    if (isAllowed) context ??= new AudioContext();
  } catch {
    // A computer without an output.
  }
  return context;
}

/** Lets a context that plays nothing take no power. @param {AudioContext | null} context */
const rest = (context) => void context?.suspend().catch(() => {});

/** Plays the sound, unless it may not be played or was just played here or in another tab. */
export async function play() {
  const now = performance.now();
  if (now - last < PAUSE || !prepare() || !context) return;
  last = now;
  if (!(await takeLock())) return;
  try {
    // Waits for a gesture where the one before did not count.
    await context.resume();
    if (performance.now() - now < MAX_DELAY) ring(context);
    else rest(context);
  } catch {
    // The page is being left, or a call has taken the output.
  }
}

/** @param {AudioContext} context */
function ring(context) {
  const start = context.currentTime;
  let ringing = NOTES.length;
  for (const [delay, frequency] of NOTES) {
    const note = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: 0 });
    const begin = start + delay;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(VOLUME, begin + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
    note.connect(volume).connect(context.destination);
    note.onended = () => --ringing || rest(context);
    note.start(begin);
    note.stop(begin + LENGTH);
  }
}

/** Takes the lock of the tab that plays, for the pause. Returns true if this tab plays; so does
 * each tab where the browser has no locks, as without HTTPS. */
function takeLock() {
  const { locks } = navigator;
  if (!locks || hasLock) return true;
  return new Promise((resolve) => {
    const taken = locks.request(LOCK, { ifAvailable: true }, (lock) => {
      resolve(!!lock);
      hasLock = !!lock;
      return lock && new Promise((ended) => {
        release = () => ended(null);
        setTimeout(release, PAUSE);
      });
    });
    // A page without an origin has no locks, and no other tabs.
    taken.catch(() => resolve(true)).finally(() => (hasLock = false));
  });
}

/** Gives the lock back: a page with one does not enter the back/forward cache. */
export const leaveSound = () => release();
