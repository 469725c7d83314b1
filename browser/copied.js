// The short link that a form creates is copied. Browsers let a page write to the clipboard right after a key or a click, so
// the writing begins before the link exists.

import { onEachPage } from './page.js';

const COPIED = 'copied';
const WAIT_MS = 1000;

/** Begins to write. Returns what takes the text, or null if there is none, and waits until it is written. */
export function copyLater() {
  if (!navigator.clipboard?.write) return async () => undefined;
  const { promise, resolve, reject } = Promise.withResolvers();
  promise.catch(() => undefined);
  const written = navigator.clipboard.write([new ClipboardItem({ 'text/plain': promise })]).then(
    () => true,
    () => false,
  );
  return async (text) => {
    if (text === null) reject(new Error('nothing was created'));
    else resolve(new Blob([text], { type: 'text/plain' }));
    const late = new Promise((done) => setTimeout(done, WAIT_MS, false));
    if ((await Promise.race([written, late])) && text !== null) sessionStorage.setItem(COPIED, text);
  };
}

// The sentence about the new link may be on another page.
onEachPage(() => {
  const text = sessionStorage.getItem(COPIED);
  const notice = document.querySelector('dialog.over .notice.success, main > .notice.success');
  if (text === null || notice === null) return;
  sessionStorage.removeItem(COPIED);
  notice.append(` ${text.replace(/^https?:\/\//, '')} is on the clipboard.`);
});
